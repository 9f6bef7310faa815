// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension Lowering {
    mutating func lower(statement expression: ExprSyntax) -> Step { lower(expression, isStatement: true) }

    /// Lowers an expression.
    ///
    /// `isStatement` says that nobody looks at the value, so that a call's handler is the only way to its answer.
    /// `isCondition` says that only its truth counts: asking for the token does not hand it on.
    mutating func lower(_ expression: ExprSyntax, isStatement: Bool, isCondition: Bool = false) -> Step {
        switch expression.as(ExprSyntaxEnum.self) {
        case .tryExpr(let node):
            let inner = lower(node.expression, isStatement: isStatement, isCondition: isCondition)
            guard node.questionOrExclamationMark == nil else { return inner }
            return .all([isSleep(node.expression) ? cancelledSleep(node) : .mayThrow(node.start), inner])
        case .awaitExpr(let node):
            return lower(node.expression, isStatement: isStatement, isCondition: isCondition)
        case .unsafeExpr(let node):
            return lower(node.expression, isStatement: isStatement, isCondition: isCondition)
        case .ifExpr(let node): return lower(node)
        case .switchExpr(let node): return lower(node)
        case .functionCallExpr(let node):
            isAsked = isCondition
            defer { isAsked = false }
            return lower(node, isStatement: isStatement)
        case .sequenceExpr(let node): return lower(Array(node.elements), isStatement: isStatement)
        case .closureExpr(let node): return mentions(node) ? carrier(node, .unknown) : .nothing
        case .declReferenceExpr(let node):
            if isCondition || isStatement { return .nothing }
            if names.aliases.contains(node.baseName.text) { return .escape }
            return names.derived[node.baseName.text].map { $0.frequency == .never ? .nothing : .escape } ?? .nothing
        case .optionalChainingExpr(let node):
            return lower(node.expression, isStatement: isStatement, isCondition: isCondition)
        case .forceUnwrapExpr(let node):
            return lower(node.expression, isStatement: isStatement, isCondition: isCondition)
        case .memberAccessExpr(let node):
            if isToken(expression), !isCondition { return isStatement ? .nothing : .escape }
            guard let base = node.base else { return .nothing }
            return lower(base, isStatement: false, isCondition: isCondition)
        default: return lower(childrenOf: Syntax(expression), isCondition: isCondition)
        }
    }

    private mutating func lower(childrenOf node: Syntax, isCondition: Bool = false) -> Step {
        guard mentions(node) || file.identifiers.containsTry(in: node) else { return .nothing }
        var steps: [Step] = []
        for child in node.children(viewMode: .sourceAccurate) {
            if let expression = child.as(ExprSyntax.self) {
                steps.append(lower(expression, isStatement: false, isCondition: isCondition))
            } else if !child.is(TokenSyntax.self) {
                steps.append(lower(childrenOf: child, isCondition: isCondition))
            }
        }
        return .all(steps)
    }

    // MARK: Operators

    private mutating func lower(_ elements: [ExprSyntax], isStatement: Bool) -> Step {
        if elements.count == 1 { return lower(elements[0], isStatement: isStatement) }
        guard let first = elements.first else { return .nothing }
        switch Operation(elements) {
        case .assignment(let target, let isPlain, let value):
            return assign(target[0], isPlain: isPlain, value, position: first.start)
        case .choice(let condition, let then, let otherwise):
            let test = lower(condition: condition)
            let yes = lower(then, isStatement: isStatement)
            let no = lower(otherwise, isStatement: isStatement)
            return .branch(Branch(position: first.start, condition: test, then: yes, otherwise: no))
        case .coalescing(let left, let right) where isSkippable(left) && right.contains(where: { mentions($0) }):
            // `delegate?.load(completion) ?? completion(nil)`: what was skipped is done on the right.
            let done = lower(left[0], isStatement: isStatement, isCondition: true)
            let instead = lower(right, isStatement: isStatement)
            return .branch(Branch(position: first.start, condition: .test(nil), then: done, otherwise: instead))
        case .or(let left, let right), .and(let left, let right), .coalescing(let left, let right):
            let before = lower(left, isStatement: false)
            let after = lower(right, isStatement: false)
            guard !after.isNothing else { return before }
            let branch = Branch(position: first.start, condition: .test(nil), then: after, otherwise: .nothing)
            return .all([before, .branch(branch)])
        case .comparison(let left, _, let right):
            return .all([lower(left, isStatement: false), lower(right, isStatement: false)])
        case .plain: return .all(elements.map { lower($0, isStatement: false) })
        }
    }

    /// Whether it is a call that is skipped if something is `nil`.
    func isSkippable(_ elements: [ExprSyntax]) -> Bool {
        guard elements.count == 1, let call = elements[0].bare.as(FunctionCallExprSyntax.self) else { return false }
        return dropOfOptionalReceiver(call.calledExpression) != nil
    }

    private mutating func assign(
        _ target: ExprSyntax,
        isPlain: Bool,
        _ value: [ExprSyntax],
        position: Int
    ) -> Step {
        let only = value.count == 1 ? value[0] : nil
        if target.is(DiscardAssignmentExprSyntax.self) {
            if let only, isToken(only) { return .excuse(.accepted) }
            return lower(value, isStatement: true)
        }
        if isToken(target) {
            let isCleared = only?.isNil == true
            guard token.isProperty else {
                return isCleared ? .void : value.contains { mentions($0) } ? .escape : .void
            }
            let step = lower(value, isStatement: false)
            return .all([step, isCleared ? .clear(position: position) : .overwrite(position: position)])
        }
        let changed = target.changedName
        let forgotten = changed.map { Step.forget($0) } ?? .nothing
        if let only, isToken(only) {
            let isKept = changed.map { Names.isCompletion($0) || Names.isContinuation($0) } == true
            return .all([isKept ? .hand(position: position) : .escape, forgotten])
        }
        if let closure = only?.bare.as(ClosureExprSyntax.self), mentions(closure) {
            let isPromised = changed.map {
                Names.isCompletion($0) || $0 == "terminationHandler"
                    || Names.isCallback($0) && Names.isAnswer(closure.parameterNames)
            }
            let kind = isPromised == true ? Carrier.Kind.likely : .unknown
            return .all([carrier(closure, kind, isAssigned: true), forgotten])
        }
        var steps = [lower(value, isStatement: false), forgotten]
        if isPlain, let only { steps.append(learn(target.key, target.identifiers, only)) }
        return .all(steps)
    }

    // MARK: Sleeping

    private func isSleep(_ expression: ExprSyntax) -> Bool {
        guard let call = expression.bare.as(FunctionCallExprSyntax.self),
            let member = call.calledExpression.as(MemberAccessExprSyntax.self)
        else { return false }
        return member.declName.baseName.text == "sleep"
    }

    /// A sleep throws only when its task is cancelled: the usual way to call off a timeout.
    private func cancelledSleep(_ node: TryExprSyntax) -> Step {
        let leave = Step.all([.excuse(.latch), .exit(Exit(kind: .throw, position: node.start))])
        return .branch(Branch(position: node.start, condition: .test(nil), then: leave, otherwise: .nothing))
    }
}

extension ExprSyntax {
    /// The variable that an assignment to this changes: `b` of `a.b`, `a` of `a[0]`.
    var changedName: String? {
        let expression = unwrapped
        if let member = expression.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
        return expression.root.identifier
    }
}

extension Step {
    var isNothing: Bool { if case .nothing = self { true } else { false } }
}
