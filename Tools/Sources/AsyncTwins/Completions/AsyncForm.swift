// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import ExactlyOnce
import SwiftParser
import SwiftSyntax

/// The async function that takes a function's place, with its body.
struct AsyncForm {
    private let planned: PlannedFunction
    /// The function as its file has it now.
    private let node: FunctionDeclSyntax
    private let body: CodeBlockSyntax

    struct Obstacle: Error {
        var reason: CompletionSite.Reason
    }

    /// - Throws: Why the function must stay.
    init(_ planned: PlannedFunction, as node: FunctionDeclSyntax) throws(Obstacle) {
        guard let body = node.body else { throw Obstacle(reason: .belongsToOthers) }
        self.planned = planned
        self.node = node
        self.body = body
        let returned = node.signature.returnClause?.type.trimmedDescription
        guard returned.map(TwinReplacement.isVoid) ?? true else { throw Obstacle(reason: .returns) }
        guard node.attributes.allSatisfy(\.isForCallers), !node.modifiers.contains(where: { $0.name.text == "dynamic" })
        else { throw Obstacle(reason: .attribute) }
    }

    /// Writes it.
    ///
    /// - Returns: The change.
    /// - Throws: Why the function must stay.
    func edit(of file: SourceFile) throws(Obstacle) -> SourceEdit {
        let text = try self.text()
        let start = try self.start()
        let blanks = file.indentation(around: node)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            index == 0 || line.isEmpty ? String(line) : blanks + line
        }
        return SourceEdit(
            range: start..<node.endPositionBeforeTrailingTrivia.utf8Offset,
            text: lines.joined(separator: "\n")
        )
    }

    /// Where the function begins, with its documentation: the async one has that, too.
    private func start() throws(Obstacle) -> Int {
        var offset = node.position.utf8Offset
        var start: Int?
        for piece in node.leadingTrivia {
            switch piece {
            case .docLineComment, .docBlockComment: start = start ?? offset
            case .lineComment, .blockComment: if start != nil { throw Obstacle(reason: .losesComment) }
            default: break
            }
            offset += piece.sourceLength.utf8Length
        }
        return start ?? node.positionAfterSkippingLeadingTrivia.utf8Offset
    }

    private func text() throws(Obstacle) -> String {
        guard let twin = planned.twin else { throw Obstacle(reason: .names) }
        let source = twin.source.replacing(/What ``[^`]*`` calls back with\./, with: "The answer.")
        let tree = Parser.parse(source: source)
        guard let function = tree.all(FunctionDeclSyntax.self).first, let body = function.body,
            let wait = body.all(FunctionCallExprSyntax.self).first(where: { $0.calleeName?.text == "withCallback" }),
            wait.additionalTrailingClosures.isEmpty, let closure = wait.trailingClosure,
            closure.statements.count == 1, let statement = closure.statements.first,
            let callback = closure.signature?.parameterNames?.first
        else { throw Obstacle(reason: .names) }
        try checkNames(function, callback)
        let handler = planned.function.parameters[planned.handlers[0]]
        let call = statement.all(FunctionCallExprSyntax.self).first { $0.calleeName?.text == planned.name }
        guard let arguments = call.map({ Array($0.arguments) }), arguments.count == planned.function.parameters.count
        else { throw Obstacle(reason: .names) }
        let value = arguments[planned.handlers[0]].expression.trimmedDescription
        let type = try storedType(of: handler.type)
        let lines = try ["let \(handler.innerName.text): \(type) = \(value)"] + Self.lines(of: self.body)
        let indentation = String(repeating: " ", count: 8)
        let inner = lines.enumerated().map { index, line in index == 0 || line.isEmpty ? line : indentation + line }
        var bytes = Array(source.utf8)
        let range =
            statement.positionAfterSkippingLeadingTrivia
            .utf8Offset..<statement.endPositionBeforeTrailingTrivia
            .utf8Offset
        bytes.replaceSubrange(range, with: inner.joined(separator: "\n").utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The body must mean the same by each name as before.
    private func checkNames(_ twin: FunctionDeclSyntax, _ callback: String) throws(Obstacle) {
        let parameters = planned.function.parameters
        let kept = parameters.indices.filter { !planned.handlers.contains($0) }.map { parameters[$0].innerName.text }
        guard twin.signature.parameterClause.parameters.map(\.innerName.text) == kept,
            !body.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == callback })
        else { throw Obstacle(reason: .names) }
        guard node.signature.trimmed.comments.isEmpty else { throw Obstacle(reason: .losesComment) }
    }

    /// The type of a variable for a handler.
    private func storedType(of type: TypeSyntax) throws(Obstacle) -> String {
        guard var attributed = type.as(AttributedTypeSyntax.self) else { return type.trimmedDescription }
        guard attributed.specifiers.isEmpty else { throw Obstacle(reason: .names) }
        attributed.attributes = attributed.attributes.filter { $0.as(AttributeSyntax.self)?.trimmedName != "escaping" }
        return attributed.trimmedDescription
    }

    /// What stands between the braces.
    private static func lines(of body: CodeBlockSyntax) throws(Obstacle) -> [String] {
        let text =
            body.leftBrace.trailingTrivia.description + body.statements.description
            + body.rightBrace.leadingTrivia.description
        if text.contains(where: \.isNewline) { return text.dedentedLines }
        // Code and braces are on one line.
        let statements = body.statements.trimmed
        guard statements.comments.count == body.comments.count else { throw Obstacle(reason: .losesComment) }
        return [statements.description]
    }
}

extension AttributeSyntax {
    fileprivate var trimmedName: String { attributeName.trimmedDescription }
}

extension AttributeListSyntax.Element {
    /// Whether it says something to those who call the function, and to nobody else.
    fileprivate var isForCallers: Bool {
        guard let name = self.as(AttributeSyntax.self)?.trimmedName else { return false }
        return ["available", "discardableResult"].contains(name) || name.hasSuffix("Actor")
    }
}
