// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

/// How often names are mentioned, other than as members.
final class Mentions: SyntaxVisitor {
    private var counts: [String: Int] = [:]

    convenience init(in node: Syntax) {
        self.init(viewMode: .sourceAccurate)
        walk(node)
    }

    func count(of name: String) -> Int { counts[name] ?? 0 }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let isMember = node.parent?.as(MemberAccessExprSyntax.self).map { $0.declName.id == node.id && $0.base != nil }
        if isMember != true { counts[node.baseName.text, default: 0] += 1 }
        return .visitChildren
    }

    // `if let value`
    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        if node.initializer == nil, let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
            counts[name, default: 0] += 1
        }
        return .visitChildren
    }

    // The parameters of a closure are other things of that name.
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        let inner = Mentions(viewMode: .sourceAccurate)
        for child in node.children(viewMode: .sourceAccurate) { inner.walk(child) }
        let own = Set(node.signature?.parameterNames ?? ["$0", "$1"])
        for (name, count) in inner.counts where !own.contains(name) { counts[name, default: 0] += count }
        return .skipChildren
    }

    override func visit(_ node: ClosureCaptureSyntax) -> SyntaxVisitorContinueKind {
        if node.initializer == nil { counts[node.name.text, default: 0] += 1 }
        return .visitChildren
    }
}

extension ClosureSignatureSyntax {
    /// What its parameters are called, if it names them.
    var parameterNames: [String]? {
        switch parameterClause {
        case .simpleInput(let list): list.map(\.name.text)
        case .parameterClause(let clause): clause.parameters.map { ($0.secondName ?? $0.firstName).text }
        case nil: nil
        }
    }
}

/// Finds `break` and `fallthrough` that leave the case around some code.
final class LeavingSwitch: SyntaxVisitor {
    private var isFound = false

    static func isIn(_ node: Syntax) -> Bool {
        let finder = LeavingSwitch(viewMode: .sourceAccurate)
        finder.walk(node)
        return finder.isFound
    }

    override func visit(_ node: BreakStmtSyntax) -> SyntaxVisitorContinueKind {
        if node.label == nil { isFound = true }
        return .skipChildren
    }

    override func visit(_ node: FallThroughStmtSyntax) -> SyntaxVisitorContinueKind {
        isFound = true
        return .skipChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

/// Takes `?` and `!` away behind names that are no longer optional, and gives others their new name.
final class UnwrappingRewriter: SyntaxRewriter {
    private let certain: Set<String>
    private let names: [String: String]

    init(certain: Set<String>, names: [String: String]) {
        self.certain = certain
        self.names = names
        super.init(viewMode: .sourceAccurate)
    }

    private func isCertain(_ expression: ExprSyntax) -> Bool {
        expression.as(DeclReferenceExprSyntax.self).map { certain.contains($0.baseName.text) } ?? false
    }

    override func visit(_ node: ForceUnwrapExprSyntax) -> ExprSyntax {
        guard isCertain(node.expression) else { return super.visit(node) }
        return visit(node.expression.with(\.trailingTrivia, node.trailingTrivia))
    }

    override func visit(_ node: OptionalChainingExprSyntax) -> ExprSyntax {
        guard isCertain(node.expression) else { return super.visit(node) }
        return visit(node.expression.with(\.trailingTrivia, node.trailingTrivia))
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
        guard let name = names[node.baseName.text] else { return super.visit(node) }
        return ExprSyntax(node.with(\.baseName.tokenKind, .identifier(name)))
    }
}

extension SyntaxProtocol {
    /// All nodes of a kind in it.
    func all<Node: SyntaxProtocol>(_ kind: Node.Type) -> [Node] {
        var found: [Node] = []
        var waiting = [Syntax(self)]
        while let node = waiting.popLast() {
            if let node = node.as(kind) { found.append(node) }
            waiting += node.children(viewMode: .sourceAccurate)
        }
        return found
    }

    /// The comments in it, sorted.
    var comments: [String] {
        tokens(viewMode: .sourceAccurate).flatMap { $0.leadingTrivia.comments + $0.trailingTrivia.comments }.sorted()
    }
}

extension Trivia {
    /// The comments, as they are written.
    var comments: [String] {
        compactMap { piece in
            switch piece {
            case .lineComment(let text), .blockComment(let text), .docLineComment(let text), .docBlockComment(let text):
                text
            default: nil
            }
        }
    }
}
