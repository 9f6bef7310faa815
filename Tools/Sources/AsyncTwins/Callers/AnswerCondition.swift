// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import SwiftSyntax

/// A condition of a `guard` or an `if` that asks whether an answer is a success or a failure.
struct AnswerCondition {
    var isSuccess: Bool
    /// What it calls the value or the error.
    var name: String?

    /// The names of what a handler gets.
    struct Names {
        var result: String?
        var value: String?
        var error: String?
        private var unwrapsSelf: Bool

        init(_ parameters: [String], _ answer: HandlerAnswer, unwrapsSelf: Bool) {
            self.unwrapsSelf = unwrapsSelf
            switch answer.shape {
            case .result: result = parameters[0]
            case .valueAndError: (value, error) = (parameters[1 - answer.errorIndex], parameters[answer.errorIndex])
            case .error: error = parameters[0]
            case .valuesAndError, .value, .values, .nothing, .pair: break
            }
        }

        /// What a list of conditions asks; `nil` if it asks for something else, too.
        func condition(of list: ConditionElementListSyntax) -> AnswerCondition? {
            var answer: AnswerCondition?
            for element in list {
                if unwrapsSelf, element.condition.bindsSelf { continue }
                guard let one = condition(element.condition) else { return nil }
                if let old = answer {
                    // A failure that is asked for twice may be neither.
                    guard old.isSuccess, one.isSuccess, old.name == nil || one.name == nil else { return nil }
                    answer?.name = old.name ?? one.name
                } else {
                    answer = one
                }
            }
            return answer
        }

        private func condition(_ condition: ConditionElementSyntax.Condition) -> AnswerCondition? {
            switch condition {
            case .optionalBinding(let binding):
                guard binding.bindingSpecifier.text == "let", binding.typeAnnotation == nil,
                    let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
                else { return nil }
                let bound = binding.initializer?.value.trimmedDescription ?? name
                if bound == value { return AnswerCondition(isSuccess: true, name: name) }
                return bound == error ? AnswerCondition(isSuccess: false, name: name) : nil
            case .matchingPattern(let matching):
                guard let result, matching.initializer.value.trimmedDescription == result,
                    let payload = matching.pattern.payload
                else { return nil }
                return AnswerCondition(isSuccess: payload.isSuccess, name: payload.name)
            case .expression(let expression):
                let words = expression.trimmedDescription.split(whereSeparator: \.isWhitespace).map(String.init)
                guard words.count == 3, words[2] == "nil", ["==", "!="].contains(words[1]) else { return nil }
                if words[0] == error { return AnswerCondition(isSuccess: words[1] == "==") }
                return words[0] == value ? AnswerCondition(isSuccess: words[1] == "!=") : nil
            case .availability: return nil
            }
        }
    }
}

extension ConditionElementSyntax.Condition {
    /// Whether it makes a strong `self` of a weak one.
    fileprivate var bindsSelf: Bool { selfName == "self" }

    /// What it calls the strong `self`, if it makes one.
    fileprivate var selfName: String? {
        guard case .optionalBinding(let binding) = self,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        else { return nil }
        let plain = name.filter { $0 != "`" }
        return (binding.initializer?.value.trimmedDescription ?? plain) == "self" ? plain : nil
    }
}

extension PatternSyntax {
    /// What a pattern for a `Result` matches, and what it calls that; `nil` for other patterns.
    var payload: (isSuccess: Bool, name: String?)? {
        var pattern = self
        var binds = false
        if let binding = pattern.as(ValueBindingPatternSyntax.self) {
            guard binding.bindingSpecifier.text == "let" else { return nil }
            (pattern, binds) = (binding.pattern, true)
        }
        guard let expression = pattern.as(ExpressionPatternSyntax.self)?.expression else { return nil }
        guard let call = expression.as(FunctionCallExprSyntax.self) else {
            return expression.caseOfResult.map { ($0, nil) }
        }
        guard let isSuccess = call.calledExpression.caseOfResult, call.arguments.count == 1,
            let argument = call.arguments.first, argument.label == nil
        else { return nil }
        if argument.expression.is(DiscardAssignmentExprSyntax.self) { return (isSuccess, nil) }
        if binds, let name = argument.expression.as(DeclReferenceExprSyntax.self) {
            return (isSuccess, name.baseName.text)
        }
        guard var inner = argument.expression.as(PatternExprSyntax.self)?.pattern else { return nil }
        if let binding = inner.as(ValueBindingPatternSyntax.self), !binds {
            guard binding.bindingSpecifier.text == "let" else { return nil }
            (inner, binds) = (binding.pattern, true)
        }
        guard binds, let name = inner.as(IdentifierPatternSyntax.self)?.identifier.text else { return nil }
        return (isSuccess, name)
    }
}

extension ExprSyntax {
    /// Whether it is `.success`; `nil` if it is not `.failure` either.
    fileprivate var caseOfResult: Bool? {
        switch self.as(MemberAccessExprSyntax.self)?.declName.baseName.text {
        case "success": true
        case "failure": false
        default: nil
        }
    }
}

extension CodeBlockItemSyntax {
    /// The statement, or the expression that stands for one.
    var statement: Syntax? {
        switch item {
        case .stmt(let statement):
            statement.as(ExpressionStmtSyntax.self).map { Syntax($0.expression) } ?? Syntax(statement)
        case .expr(let expression): Syntax(expression)
        case .decl: nil
        }
    }

    /// Whether it is `return`, and nothing else.
    var isReturn: Bool { statement?.as(ReturnStmtSyntax.self).map { $0.expression == nil } ?? false }
}

extension [CodeBlockItemSyntax] {
    /// Takes away `guard let self else { return }` at the beginning: there is a `self`.
    mutating func dropGuardOfSelf(_ names: inout [String: String]) {
        guard let node = first?.statement?.as(GuardStmtSyntax.self), node.conditions.count == 1,
            node.body.statements.count == 1, node.body.statements.first?.isReturn == true,
            let name = node.conditions.first?.condition.selfName
        else { return }
        if name != "self" { names[name] = "self" }
        removeFirst()
    }

    /// Takes away a `return` at the end: there is nothing after it.
    mutating func dropReturn() { if last?.isReturn == true { removeLast() } }

    /// Takes away a `break` that stands alone.
    mutating func dropBreak() {
        if count == 1, first?.statement?.as(BreakStmtSyntax.self)?.label == nil, first?.statement?.kind == .breakStmt {
            removeLast()
        }
    }
}
