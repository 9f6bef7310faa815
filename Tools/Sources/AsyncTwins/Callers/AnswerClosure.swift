// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import SwiftSyntax

/// What a completion handler that is a closure does after a success, and after a failure.
struct AnswerClosure {
    /// What it does in one of the two cases.
    struct Branch {
        /// What the value or the error is called; `nil` if it is not looked at.
        var name: String?
        /// Whether the name was given where it was known that there is a value or an error.
        var isBound = false
        var statements: [CodeBlockItemSyntax]
        /// The comments below the last statement.
        var end: Trivia = []
    }

    enum Form {
        case branches(success: Branch, failure: Branch)
        /// A `do` with `try result.get()` in its first statement: the answer is taken there.
        case direct(DoStmtSyntax, answer: TryExprSyntax)
    }

    let form: Form
    /// Names that stand for another: `strongSelf` for `self`.
    private(set) var names: [String: String] = [:]
    /// Whether `self` was optional in the closure and is no longer.
    private let unwrapsSelf: Bool
    private let parameters: [String]

    /// - Parameters:
    ///   - closure: The handler.
    ///   - answer: What the handler gets.
    ///   - keepsWeakSelf: Whether `self` is optional around the call, too.
    init?(_ closure: ClosureExprSyntax, _ answer: HandlerAnswer, keepsWeakSelf: Bool) {
        guard let parameters = closure.parameterNames(answer.shape) else { return nil }
        self.parameters = parameters
        let isWeak = closure.signature?.capture?.items.contains(where: \.isWeakSelf) ?? false
        unwrapsSelf = isWeak && !keepsWeakSelf
        var names: [String: String] = [:]
        var items = Array(closure.statements)
        if unwrapsSelf { items.dropGuardOfSelf(&names) }
        let end = closure.rightBrace.leadingTrivia
        let condition = AnswerCondition.Names(parameters, answer, unwrapsSelf: unwrapsSelf)
        guard let form = Self.form(items, end, condition) else { return nil }
        if case .branches(var success, var failure) = form {
            if unwrapsSelf {
                success.statements.dropGuardOfSelf(&names)
                failure.statements.dropGuardOfSelf(&names)
            }
            success.statements.dropReturn()
            failure.statements.dropReturn()
            // These are names only in a closure.
            if let name = success.name, name.hasPrefix("$") { names[name] = "value" }
            if let name = failure.name, name.hasPrefix("$") { names[name] = "error" }
            self.form = .branches(success: success, failure: failure)
        } else {
            self.form = form
        }
        self.names = names
    }

    private static func form(_ items: [CodeBlockItemSyntax], _ end: Trivia, _ names: AnswerCondition.Names) -> Form? {
        guard let first = items.first else { return nil }
        let rest = Array(items.dropFirst())
        switch first.statement?.as(SyntaxEnum.self) {
        case .switchExpr(let node) where rest.isEmpty && names.result != nil:
            return cases(node, names)
        case .doStmt(let node) where rest.isEmpty:
            return direct(node, names)
        case .guardStmt(let node):
            guard let condition = names.condition(of: node.conditions) else { return nil }
            let inner = Branch(name: nil, body: node.body)
            return branches(condition, holds: Branch(statements: rest, end: end), fails: inner, names)
        case .ifExpr(let node):
            guard let condition = names.condition(of: node.conditions) else { return nil }
            let inner = Branch(name: nil, body: node.body)
            switch node.elseBody {
            case .codeBlock(let block) where rest.isEmpty:
                return branches(condition, holds: inner, fails: Branch(name: nil, body: block), names)
            case .ifExpr(let other) where rest.isEmpty && other.elseBody == nil:
                guard let second = names.condition(of: other.conditions), second.isSuccess != condition.isSuccess
                else { return nil }
                var fails = Branch(name: nil, body: other.body)
                fails.bind(second)
                return branches(condition, holds: inner, fails: fails, names)
            case nil where inner.statements.last?.statement?.kind == .returnStmt:
                return branches(condition, holds: inner, fails: Branch(statements: rest, end: end), names)
            default: return nil
            }
        default: return nil
        }
    }

    private static func branches(
        _ condition: AnswerCondition,
        holds: Branch,
        fails: Branch,
        _ names: AnswerCondition.Names
    ) -> Form? {
        var (holds, fails) = (holds, fails)
        holds.bind(condition)
        if condition.isSuccess {
            fails.name = fails.name ?? names.error
            holds.name = holds.name ?? names.value
            return .branches(success: holds, failure: fails)
        }
        holds.name = holds.name ?? names.error
        if fails.name == nil, !fails.unwrapValue(names) { return nil }
        fails.name = fails.name ?? names.value
        return .branches(success: fails, failure: holds)
    }

    private static func cases(_ node: SwitchExprSyntax, _ names: AnswerCondition.Names) -> Form? {
        guard node.subject.trimmedDescription == names.result, node.cases.count == 2 else { return nil }
        var success: Branch?
        var failure: Branch?
        let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
        for (index, one) in cases.enumerated() {
            // Comments above the other case belong to neither: then the call stays as it is.
            var branch = Branch(statements: Array(one.statements))
            if index == cases.count - 1 { branch.end = node.rightBrace.leadingTrivia }
            switch one.label {
            case .case(let label):
                guard label.caseItems.count == 1, let item = label.caseItems.first, item.whereClause == nil,
                    let payload = item.pattern.payload
                else { return nil }
                (branch.name, branch.isBound) = (payload.name, true)
                if payload.isSuccess, success == nil {
                    success = branch
                } else if !payload.isSuccess, failure == nil {
                    failure = branch
                } else {
                    return nil
                }
            case .default:
                if success == nil, failure != nil { success = branch } else { failure = branch }
            }
        }
        guard var success, var failure else { return nil }
        success.statements.dropBreak()
        failure.statements.dropBreak()
        return .branches(success: success, failure: failure)
    }

    private static func direct(_ node: DoStmtSyntax, _ names: AnswerCondition.Names) -> Form? {
        guard let result = names.result, let first = node.body.statements.first,
            node.catchClauses.last?.catchItems.isEmpty == true
        else { return nil }
        let answers = first.all(TryExprSyntax.self).filter {
            $0.questionOrExclamationMark == nil && $0.expression.trimmedDescription == "\(result).get()"
        }
        guard answers.count == 1, Mentions(in: Syntax(node)).count(of: result) == 1 else { return nil }
        return .direct(node, answer: answers[0])
    }

    // MARK: What stands in the way

    /// Why its statements cannot stand outside of it.
    var obstacle: CallerSite.Reason? {
        guard case .branches(let success, let failure) = form else { return nil }
        for branch in [success, failure] {
            let nodes = branch.statements.map { Syntax($0) }
            if nodes.contains(where: LeavingSwitch.isIn) { return .leavesSwitch }
            let others = parameters.filter { $0 != branch.name }
            if nodes.contains(where: { node in others.contains { Mentions(in: node).count(of: $0) > 0 } }) {
                return .readsOtherSide
            }
        }
        return nil
    }

    /// A name as it is written outside of the closure.
    func written(_ name: String) -> String { names[name] ?? name }

    /// A statement as it reads outside of the closure, with what it gets no longer optional.
    func outside(_ statement: CodeBlockItemSyntax, _ name: String?) -> CodeBlockItemSyntax {
        var certain = Set(name.map { [$0] } ?? [])
        if unwrapsSelf { certain.insert("self") }
        return UnwrappingRewriter(certain: certain, names: names).rewrite(statement).cast(CodeBlockItemSyntax.self)
    }
}

extension AnswerClosure.Branch {
    fileprivate mutating func bind(_ condition: AnswerCondition) {
        (name, isBound) = (condition.name, condition.name != nil)
    }

    fileprivate init(name: String?, body: CodeBlockSyntax) {
        self.init(name: name, statements: Array(body.statements), end: body.rightBrace.leadingTrivia)
    }

    /// Takes away the unwrapping of the value: there is one.
    ///
    /// - Returns: Whether nothing else would have happened without a value.
    fileprivate mutating func unwrapValue(_ names: AnswerCondition.Names) -> Bool {
        guard let first = statements.first else { return true }
        switch first.statement?.as(SyntaxEnum.self) {
        case .guardStmt(let node):
            guard let condition = names.condition(of: node.conditions), condition.isSuccess else { return true }
            guard node.body.statements.count == 1, node.body.statements.first?.isReturn == true else { return false }
            bind(condition)
            statements.removeFirst()
            return true
        case .ifExpr(let node):
            guard let condition = names.condition(of: node.conditions), condition.isSuccess else { return true }
            guard statements.count == 1, node.elseBody == nil else { return false }
            self = Self(name: nil, body: node.body)
            bind(condition)
            return true
        default: return true
        }
    }
}

extension Generator.Completion.Shape {
    /// Whether what a handler gets parts into one value at most and an error.
    var tellsFailure: Bool {
        switch self {
        case .result, .error, .valueAndError: true
        case .valuesAndError, .value, .values, .nothing, .pair: false
        }
    }
}

extension ClosureExprSyntax {
    /// The names of its parameters, if they are as many as a shape has.
    func parameterNames(_ shape: Generator.Completion.Shape) -> [String]? {
        guard shape.tellsFailure else { return nil }
        let count = shape == .valueAndError ? 2 : 1
        let names = signature?.parameterNames ?? (0..<count).map { "$\($0)" }
        return names.count == count ? names : nil
    }
}
