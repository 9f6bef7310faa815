// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import SwiftSyntax

/// Whether a handler resumes a continuation with exactly what it gets.
struct Resumption {
    /// What the continuation is called.
    let continuation: String
    /// Whether it can be resumed with an error.
    let canThrow: Bool

    /// Whether it does, and nothing else.
    func isAll(of handler: ExprSyntax, _ answer: HandlerAnswer) -> Bool {
        guard canThrow || !answer.canFail else { return false }
        guard let closure = handler.as(ClosureExprSyntax.self) else { return isFunction(handler, answer) }
        guard closure.signature?.capture?.items.allSatisfy({ $0.initializer == nil && !$0.isWeakSelf }) ?? true else {
            return false
        }
        switch answer.shape {
        case .result:
            if let names = closure.parameterNames(.result), let only = closure.onlyStatement {
                if argument(of: only, "with") == names[0] { return true }
            }
            return hasBranches(closure, answer)
        case .error, .valueAndError: return hasBranches(closure, answer)
        case .value, .values:
            guard let only = closure.onlyStatement, let value = argument(of: only, "returning") else { return false }
            return value == closure.values(count: answer.shape == .value ? 1 : nil)
        case .nothing: return closure.onlyStatement.map(isOfNothing) ?? false
        case .valuesAndError, .pair: return false
        }
    }

    /// `continuation.resume`, with the label that fits or none.
    private func isFunction(_ handler: ExprSyntax, _ answer: HandlerAnswer) -> Bool {
        guard let member = handler.as(MemberAccessExprSyntax.self), isResume(member) else { return false }
        let label = member.declName.argumentNames?.arguments.map(\.name.text).joined(separator: " ")
        return switch answer.shape {
        case .result: label == nil || label == "with"
        case .value: label == nil || label == "returning"
        case .nothing: label == nil
        case .error, .valueAndError, .values, .valuesAndError, .pair: false
        }
    }

    private func hasBranches(_ closure: ClosureExprSyntax, _ answer: HandlerAnswer) -> Bool {
        guard let form = AnswerClosure(closure, answer, keepsWeakSelf: true)?.form else { return false }
        switch form {
        case .branches(let success, let failure):
            guard success.statements.count == 1, failure.statements.count == 1 else { return false }
            return isSuccess(success, answer) && isFailure(failure)
        case .direct(let node, let answer):
            guard node.body.statements.count == 1, node.catchClauses.count == 1,
                let handled = node.catchClauses.first?.body.statements, handled.count == 1,
                let first = node.body.statements.first, let last = handled.first
            else { return false }
            return argument(of: first, "returning") == answer.trimmedDescription
                && argument(of: last, "throwing") == "error"
        }
    }

    private func isSuccess(_ branch: AnswerClosure.Branch, _ answer: HandlerAnswer) -> Bool {
        let statement = branch.statements[0]
        if answer.shape == .error { return isOfNothing(statement) }
        // The value of a `Result<Void, any Error>` has no name.
        guard let name = branch.name else { return answer.shape == .result && isOfNothing(statement) }
        let value = argument(of: statement, "returning")
        let mayBeMissing = answer.shape == .valueAndError && answer.valueIsOptional && !branch.isBound
        return value == (mayBeMissing ? name + "!" : name)
    }

    private func isFailure(_ branch: AnswerClosure.Branch) -> Bool {
        guard let name = branch.name, let error = argument(of: branch.statements[0], "throwing") else { return false }
        return error == name || error == name + "!"
    }

    // MARK: Statements

    private func isResume(_ member: MemberAccessExprSyntax) -> Bool {
        member.base?.trimmedDescription == continuation && member.declName.baseName.text == "resume"
    }

    /// `continuation.resume(…)`, whether or not it is returned.
    private func resume(in item: CodeBlockItemSyntax) -> FunctionCallExprSyntax? {
        guard let statement = item.statement else { return nil }
        let expression = statement.as(ReturnStmtSyntax.self)?.expression ?? statement.as(ExprSyntax.self)
        guard let call = expression?.as(FunctionCallExprSyntax.self), call.trailingClosure == nil,
            let member = call.calledExpression.as(MemberAccessExprSyntax.self), isResume(member)
        else { return nil }
        return call
    }

    /// What a statement resumes it with, by this label.
    private func argument(of item: CodeBlockItemSyntax, _ label: String) -> String? {
        guard let call = resume(in: item), call.arguments.count == 1, let argument = call.arguments.first,
            argument.label?.text == label
        else { return nil }
        return argument.expression.trimmedDescription
    }

    private func isOfNothing(_ item: CodeBlockItemSyntax) -> Bool {
        guard let call = resume(in: item) else { return false }
        return call.arguments.isEmpty || argument(of: item, "returning") == "()"
    }
}

extension HandlerAnswer {
    /// Whether the handler may get an error.
    fileprivate var canFail: Bool {
        switch shape {
        case .result, .valueAndError, .error, .valuesAndError, .pair: true
        case .value, .values, .nothing: false
        }
    }
}

extension ClosureExprSyntax {
    fileprivate var onlyStatement: CodeBlockItemSyntax? { statements.count == 1 ? statements.first : nil }

    /// Its parameters as one value: a tuple if there are several.
    ///
    /// - Parameter count: How many there are; `nil` if it names them.
    /// - Returns: `nil` if nothing tells how many there are.
    fileprivate func values(count: Int?) -> String? {
        guard let names = signature?.parameterNames ?? count.map({ (0..<$0).map { "$\($0)" } }) else { return nil }
        return names.count == 1 ? names[0] : "(" + names.joined(separator: ", ") + ")"
    }
}
