// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ExactlyOnce

/// One file of a module, and what it tells the others.
package struct FileFacts: Sendable {
    package let file: SourceFile
    package let module: String
    package let knowledge: Knowledge
    let declarations: FileDeclarations

    package init(_ file: SourceFile, module: String, apis: APITable = .standard) {
        self.file = file
        self.module = module
        knowledge = Knowledge(of: [file], apis: apis)
        declarations = FileDeclarations(file, module: module)
    }

    /// The imports that a file with twins repeats.
    package var imports: [String] { declarations.imports }

    /// The comment that says who may use the file, for a file of this name beside it.
    package func license(in name: String) -> [String] {
        let own = file.path.split(separator: "/").last.map(String.init) ?? file.path
        return declarations.license.map { $0.replacing(own, with: name) }
    }
}
