// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

/// Readers see the README, the guides and the doc comments, and the compiler sees the snippets: both must be the same.
///
/// Examples that are tests themselves cannot be programs; they stand in `Examples/` beside this file. Those that need
/// libraries which are not here stand in `Tests/GuidePrograms`, and `Scripts/check-guides` runs them.
@Suite("Every example stands in a snippet", .timeLimit(.minutes(10)))
struct ExampleTests {
    private let snippets: [[String]]

    init() throws {
        let programs = try PackageFiles.files(under: "Snippets", ending: ".swift")
        let tests = try PackageFiles.files(under: "Tests/DocumentationTests/Examples", ending: ".swift")
        let others = try PackageFiles.files(under: "Tests/GuidePrograms", ending: ".swift")
        self.snippets = (programs + tests + others).map { CodeBlock.code(ofSnippet: $0.text) }
    }

    @Test(arguments: ["README.md", PackageFiles.startPage])
    func `of first pages`(_ path: String) throws {
        let page = try PackageFiles.file(path)
        let blocks = CodeBlock.blocks(inMarkdown: page.text)
        #expect(!blocks.isEmpty)
        self.check(blocks, of: page)
    }

    @Test(arguments: PackageFiles.documentedModules)
    func `of guides`(_ module: String) throws {
        let guides = try PackageFiles.files(under: PackageFiles.catalogue(of: module), ending: ".md")
        #expect(!guides.isEmpty)
        for guide in guides { self.check(CodeBlock.blocks(inMarkdown: guide.text), of: guide) }
    }

    @Test func `of doc comments`() throws {
        let sources = try PackageFiles.files(under: "Sources", ending: ".swift")
        #expect(!sources.isEmpty)
        for source in sources { self.check(CodeBlock.blocks(inDocCommentsOf: source.text), of: source) }
    }

    private func check(_ blocks: [CodeBlock], of file: PackageFile) {
        for block in blocks where !self.snippets.contains(where: { block.stands(in: $0) }) {
            let first = block.code.first ?? "an empty block"
            Issue.record("\(file.path):\(block.line): this example stands in no file of Snippets/: \(first)")
        }
    }
}
