// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import SwiftSyntax

/// Finds where a function passes to its handler what it was only lent: in `pool.asyncRead { completion($0) }`.
///
/// The table of APIs tells which functions lend the first thing that their closure gets. What is made of it, as in
/// `completion(Data(bytes))`, is a copy.
final class LentArguments: SyntaxVisitor {
    private var lender: String?
    private let handler: String
    private let apis: APITable

    /// The name of the function that lends it; `nil` if everything is the handler's to keep.
    static func lender(ofHandler handler: String, in function: FunctionDeclSyntax, _ apis: APITable) -> String? {
        guard let body = function.body else { return nil }
        let finder = LentArguments(handler, apis)
        finder.walk(body)
        return finder.lender
    }

    private init(_ handler: String, _ apis: APITable) {
        self.handler = handler
        self.apis = apis
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard lender == nil, let name = node.calleeName?.text else { return .visitChildren }
        let base = node.calledExpression.unwrapped.as(MemberAccessExprSyntax.self)?.base?.unwrapped
        let receiver = base.flatMap { $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? $0.identifier }
        var arguments = node.arguments.map { (label: $0.label?.text, value: $0.expression) }
        if let closure = node.trailingClosure { arguments.append((nil, ExprSyntax(closure))) }
        arguments += node.additionalTrailingClosures.map { ($0.label.text, ExprSyntax($0.closure)) }
        for (label, value) in arguments where apis.lends(name, on: receiver, label: label) {
            let isPassedOn =
                if let closure = value.unwrapped.as(ClosureExprSyntax.self) {
                    LentValueUses(of: closure, handler).isPassedOn
                } else {
                    value.unwrapped.identifier == handler
                }
            if isPassedOn { lender = name }
        }
        return .visitChildren
    }
}

/// Whether a closure passes its first argument to a handler.
private final class LentValueUses: SyntaxVisitor {
    private(set) var isPassedOn = false
    private let handler: String
    /// What the argument is called, and its parts.
    private var names: Set<String>
    /// For each closure around, whether `$0` was the argument outside.
    private var dollars: [Bool] = []

    init(of closure: ClosureExprSyntax, _ handler: String) {
        self.handler = handler
        names = [closure.signature?.parameterNames?.first ?? "$0"]
        super.init(viewMode: .sourceAccurate)
        walk(closure.statements)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.calledExpression.unwrapped.identifier == handler {
            isPassedOn = isPassedOn || node.arguments.contains { isLent($0.expression) }
        }
        return .visitChildren
    }

    /// Whether an expression is the argument itself, or a `Result` or an optional that holds it.
    private func isLent(_ expression: ExprSyntax) -> Bool {
        let expression = expression.unwrapped
        if let tuple = expression.as(TupleExprSyntax.self) { return tuple.elements.contains { isLent($0.expression) } }
        if let call = expression.as(FunctionCallExprSyntax.self) {
            guard let member = call.calledExpression.as(MemberAccessExprSyntax.self) else { return false }
            switch member.declName.baseName.text {
            case "get": return member.base.map(isLent) ?? false
            case "success", "some": return call.arguments.contains { isLent($0.expression) }
            default: return false
            }
        }
        return expression.identifier.map(names.contains) ?? false
    }

    // MARK: Other names for it

    override func visitPost(_ node: PatternBindingSyntax) { bind(node.pattern, to: node.initializer) }
    override func visitPost(_ node: OptionalBindingConditionSyntax) { bind(node.pattern, to: node.initializer) }

    private func bind(_ pattern: PatternSyntax, to value: InitializerClauseSyntax?) {
        guard let value, isLent(value.value), let name = pattern.as(IdentifierPatternSyntax.self) else { return }
        names.insert(name.identifier.text)
    }

    override func visit(_ node: MatchingPatternConditionSyntax) -> SyntaxVisitorContinueKind {
        if isLent(node.initializer.value) { bind(node.pattern) }
        return .visitChildren
    }

    override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
        guard isLent(node.subject) else { return .visitChildren }
        for item in node.cases {
            guard case .case(let label)? = item.as(SwitchCaseSyntax.self)?.label else { continue }
            for item in label.caseItems { bind(item.pattern) }
        }
        return .visitChildren
    }

    /// Takes the names of a pattern for what is inside, unless it is the error.
    private func bind(_ pattern: PatternSyntax) {
        guard !pattern.tokens(viewMode: .sourceAccurate).contains(where: { $0.text == "failure" }) else { return }
        names.formUnion(pattern.all(IdentifierPatternSyntax.self).map(\.identifier.text))
    }

    // MARK: Closures have a `$0` of their own

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        dollars.append(names.remove("$0") != nil)
        return .visitChildren
    }

    override func visitPost(_ node: ClosureExprSyntax) {
        if dollars.removeLast() { names.insert("$0") }
    }
}
