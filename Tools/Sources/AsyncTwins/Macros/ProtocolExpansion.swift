// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import ExactlyOnce
import SwiftParser
import SwiftSyntax

/// What `@BridgedProtocol` writes for a protocol, to tell which requirement a line of it is for.
///
/// The compiler names the macro, the protocol and a line of what the macro has written, and no requirement.
struct ProtocolExpansion {
    /// The name of the protocol, with the types around.
    let name: String
    /// The functions, and the lines where they are.
    private let functions: [(lines: ClosedRange<Int>, identity: String)]

    /// The expansion for the protocol at a line of a file; `nil` if none with the macro is there.
    init?(at line: Int, in file: SourceFile) {
        let finder = ProtocolFinder(line, file)
        finder.walk(file.tree)
        guard let declaration = finder.found, let attribute = declaration.protocolMacro else { return nil }
        name = declaration.fullName
        let twins = Generator.twins(ofRequirementsOf: declaration, markedBy: attribute).twins
        let type = IdentifierTypeSyntax(name: declaration.name.trimmed)
        let source = Generator.extensionSource(of: type, twins, for: declaration) ?? ""
        let written = SourceFile(path: "", source: source)
        let members = FunctionFinder(viewMode: .sourceAccurate)
        members.walk(written.tree)
        functions = members.found.map { function in
            let first = written.location(of: function.positionAfterSkippingLeadingTrivia.utf8Offset).line
            let last = written.location(of: function.endPositionBeforeTrailingTrivia.utf8Offset).line
            return (first...last, Generator.identity(of: function))
        }
    }

    /// What tells the twin at a line apart from others; `nil` if the line belongs to no twin.
    func identity(ofLine line: Int) -> String? { functions.first { $0.lines.contains(line) }?.identity }
}

private final class ProtocolFinder: SyntaxVisitor {
    var found: ProtocolDeclSyntax?
    private let line: Int
    private let file: SourceFile

    init(_ line: Int, _ file: SourceFile) {
        self.line = line
        self.file = file
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        // Extensions that a macro writes are placed at the end of what they extend.
        let first = file.location(of: node.positionAfterSkippingLeadingTrivia.utf8Offset).line
        let last = file.location(of: node.endPositionBeforeTrailingTrivia.utf8Offset).line
        if (first...last).contains(line) { found = node }
        return .visitChildren
    }
}

private final class FunctionFinder: SyntaxVisitor {
    var found: [FunctionDeclSyntax] = []

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        found.append(node)
        return .skipChildren
    }
}

extension ProtocolDeclSyntax {
    /// The macro that writes an extension with the twins of its requirements.
    fileprivate var protocolMacro: AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
            .first { $0.attributeName.trimmedDescription == "BridgedProtocol" }
    }

    fileprivate var fullName: String {
        var names = [name.text]
        var node = parent
        while let current = node {
            if let type = current.asProtocol((any NamedDeclSyntax).self),
                current.asProtocol((any DeclGroupSyntax).self) != nil
            {
                names.insert(type.name.text, at: 0)
            } else if let type = current.as(ExtensionDeclSyntax.self) {
                names = type.extendedType.path + names
            }
            node = current.parent
        }
        return names.joined(separator: ".")
    }
}
