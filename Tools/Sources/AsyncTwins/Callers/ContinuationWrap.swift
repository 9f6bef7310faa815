// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftParser
import SwiftSyntax

/// `withCheckedContinuation { continuation in call(…) }`, and its kin: nothing but a call whose handler resumes.
struct ContinuationWrap {
    /// The whole of it.
    let node: FunctionCallExprSyntax
    /// What it calls, and what it gives it for a handler.
    let call: FunctionCallExprSyntax
    let handler: ExprSyntax
    private let closure: ClosureExprSyntax
    private let continuation: String

    init?(_ node: FunctionCallExprSyntax) {
        guard node.makesContinuation, node.arguments.count + (node.trailingClosure == nil ? 0 : 1) == 1,
            let closure = node.trailingClosure ?? node.arguments.first?.expression.as(ClosureExprSyntax.self),
            closure.statements.count == 1, let call = closure.statements.first?.call
        else { return nil }
        let names = closure.signature?.parameterNames ?? ["$0"]
        guard names.count == 1 else { return nil }
        self.node = node
        self.call = call
        self.closure = closure
        continuation = names[0]
        let name = continuation
        let handler =
            call.trailingClosure.map(ExprSyntax.init)
            ?? call.arguments.last { Mentions(in: Syntax($0.expression)).count(of: name) > 0 }?.expression
        guard let handler else { return nil }
        self.handler = handler
    }

    /// What the continuation is said to wait for; `nil` if its closure does not name its type.
    private var annotated: TypeSyntax? {
        guard case .parameterClause(let clause)? = closure.signature?.parameterClause,
            let type = clause.parameters.first?.type?.as(IdentifierTypeSyntax.self)
        else { return nil }
        return type.genericArgumentClause?.arguments.first?.argument.as(TypeSyntax.self)
    }

    private var canThrow: Bool { node.calleeName?.text.contains("Throwing") == true }

    /// Writes the call instead.
    ///
    /// - Parameters:
    ///   - twin: What is called instead.
    ///   - returned: What the twins of all functions return that the call may mean.
    ///   - indentation: How far the lines are indented in which both calls begin.
    /// - Returns: The change.
    /// - Throws: Why it must stay as it is.
    func edit(
        _ twin: TwinReplacement,
        returned: Set<String?>,
        indentation: (outer: String, inner: String)
    ) throws(CallPosition.Obstacle) -> SourceEdit {
        if !call.calledExpression.all(OptionalChainingExprSyntax.self).isEmpty {
            throw CallPosition.Obstacle(reason: .mayNotBeCalled)
        }
        guard closure.signature?.capture?.items.allSatisfy({ $0.isSelf && !$0.isWeakSelf }) ?? true else {
            throw CallPosition.Obstacle(reason: .captures)
        }
        let resumption = Resumption(continuation: continuation, canThrow: canThrow)
        guard resumption.isAll(of: handler, twin.answer),
            Mentions(in: Syntax(call)).count(of: continuation) == Mentions(in: Syntax(handler)).count(of: continuation)
        else { throw CallPosition.Obstacle(reason: .otherResume) }
        if twin.canThrow, !canThrow, !node.isTried { throw CallPosition.Obstacle(reason: .twinThrows) }
        var lines = call.written(named: twin.name, without: handler, from: indentation.inner)
        if let type = annotated?.trimmedDescription, returned != [TwinReplacement.isVoid(type) ? nil : type] {
            lines[lines.count - 1] += " as \(type)"
            if !node.isWholeValue {
                lines[0] = "(" + lines[0]
                lines[lines.count - 1] += ")"
            }
        }
        let text = lines.enumerated()
            .map { index, line in index == 0 || line.isEmpty ? line : indentation.outer + line }
            .joined(separator: "\n")
        guard Parser.parse(source: text).comments.count == node.trimmed.comments.count else {
            throw CallPosition.Obstacle(reason: .losesComment)
        }
        let range =
            node.positionAfterSkippingLeadingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
        return SourceEdit(range: range, text: text)
    }
}

extension FunctionCallExprSyntax {
    /// Whether it makes a continuation for its closure.
    var makesContinuation: Bool {
        let names = [
            "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
            "withUnsafeThrowingContinuation",
        ]
        return calledExpression.is(DeclReferenceExprSyntax.self) && calleeName.map { names.contains($0.text) } ?? false
    }

    /// Whether a `try` covers it.
    fileprivate var isTried: Bool {
        var node = parent
        while let current = node, !current.is(CodeBlockItemSyntax.self), !current.is(ClosureExprSyntax.self) {
            if current.is(TryExprSyntax.self) { return true }
            node = current.parent
        }
        return false
    }

    /// Whether it is all of a statement, of what is returned, or of the value of a variable, but for `try` and `await`.
    fileprivate var isWholeValue: Bool {
        var node = parent
        while let current = node, current.is(AwaitExprSyntax.self) || current.is(TryExprSyntax.self) {
            node = current.parent
        }
        guard let kind = node?.kind else { return false }
        return [.codeBlockItem, .returnStmt, .initializerClause].contains(kind)
    }
}

extension ClosureExprSyntax {
    /// Whether it is what gets a continuation.
    var isOfContinuation: Bool {
        let call =
            parent?.as(FunctionCallExprSyntax.self)
            ?? parent?.as(LabeledExprSyntax.self)?.parent?.parent?.as(FunctionCallExprSyntax.self)
        return call?.makesContinuation == true
    }
}

extension CodeBlockItemSyntax {
    /// The call that it is, or whose result it discards.
    fileprivate var call: FunctionCallExprSyntax? {
        guard let expression = statement else { return nil }
        if let list = expression.as(SequenceExprSyntax.self)?.elements {
            guard list.count == 3, list.first?.is(DiscardAssignmentExprSyntax.self) == true else { return nil }
            return list.last?.as(FunctionCallExprSyntax.self)
        }
        return expression.as(FunctionCallExprSyntax.self)
    }
}
