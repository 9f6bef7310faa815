// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension Lowering {
    mutating func lower(_ call: FunctionCallExprSyntax, isStatement: Bool) -> Step {
        if carriers == 0 {
            carriers = closuresWithToken(in: Syntax(call))
            if carriers == 1, muteHalf(of: arguments(of: call)) != nil { carriers += 1 }
        }
        let callee = call.calledExpression
        let (wanted, asked) = (wantedAnswer, isAsked)
        (wantedAnswer, isAsked) = (nil, false)
        let wasPartOfAValue = isPartOfAValue
        let wasBound = isBound
        isBound = false
        if let delivery = delivery(by: call) { return delivery }
        var steps: [Step] = []
        if let base = callee.unwrapped.as(MemberAccessExprSyntax.self)?.base {
            steps.append(lower(base, isStatement: true))
        } else if let closure = callee.bare.as(ClosureExprSyntax.self) {
            let body = body(of: closure, canThrow: canThrow, answer: wanted)
            steps.append(.inline(body, decides: !isStatement && wanted == nil))
        } else if callee.unwrapped.identifier == nil {
            steps.append(lower(callee, isStatement: false))
        }
        let name = call.calledName ?? ""
        guard mentions(call) else {
            // `.success(try await load())` may throw all the same.
            let values = file.identifiers.containsTry(in: call) ? lower(argumentsOf: call) : .nothing
            return .all(steps + [values, effect(of: call, named: name)])
        }

        let arguments = self.arguments(of: call)
        // An argument is evaluated before the call: closures in it run later.
        for argument in arguments where !isPassedOn(argument.value) {
            isPartOfAValue = call.isInitializer
            steps.append(lower(argument.value, isStatement: false))
        }
        isPartOfAValue = wasPartOfAValue
        defer { isPartOfAValue = wasPartOfAValue }
        var handed: [Step] = []
        for argument in arguments where isPassedOn(argument.value) {
            (wantedAnswer, isAsked, isBound) = (wanted, asked, wasBound)
            handed.append(pass(argument, to: call, named: name, of: arguments, isStatement: isStatement))
        }
        if let mute = muteHalf(of: arguments) { handed.append(carrier(mute, .likely, isHalf: true)) }
        let body = Step.all(handed + [effect(of: call, named: name)])
        if !handed.isEmpty, !asked, let drop = dropOfOptionalReceiver(callee) {
            steps.append(.optionally(drop, isNil: absence(ofReceiver: callee), body: body))
        } else {
            steps.append(body)
        }
        return .all(steps)
    }

    // MARK: Deliveries

    /// `completion(…)`, `continuation.resume(…)`, or a call of a local closure that delivers.
    private mutating func delivery(by call: FunctionCallExprSyntax) -> Step? {
        let callee = call.calledExpression
        // Where a call begins takes as long as it has calls before it: it is asked only if need be.
        var deliver: Step { .deliver(Delivery(position: call.start, manner: .call)) }
        if isToken(callee), !token.isContinuation { return .all([lower(argumentsOf: call), deliver]) }
        if let name = callee.unwrapped.identifier, let derived = names.derived[name] {
            let arguments = lower(argumentsOf: call)
            switch derived.frequency {
            case .always: return .all([arguments, deliver])
            case .never: return arguments
            case .sometimes:
                let delivery = Delivery(position: derived.position, manner: .deferred, isConditional: true)
                return .all([arguments, .deliver(delivery)])
            case .unknown: return .all([arguments, .escape])
            }
        }
        guard let member = callee.unwrapped.as(MemberAccessExprSyntax.self), let base = member.base, isToken(base)
        else {
            return nil
        }
        switch member.declName.baseName.text {
        case "resume" where token.isContinuation: return .all([lower(argumentsOf: call), deliver])
        case "callAsFunction" where !token.isContinuation: return .all([lower(argumentsOf: call), deliver])
        // `completion.map { $0(result) }`
        case "map", "flatMap": return token.isContinuation ? .escape : deliver
        default: return .all([lower(argumentsOf: call), .escape])
        }
    }

    private mutating func lower(argumentsOf call: FunctionCallExprSyntax) -> Step {
        .all(arguments(of: call).map { lower($0.value, isStatement: false) })
    }

    // MARK: Arguments

    struct Argument {
        var label: String?
        var value: ExprSyntax
        var isTrailing: Bool

        /// Whether it asks for one answer, as in `observe(.once) { … }`.
        var isOnce: Bool {
            value.as(MemberAccessExprSyntax.self).map { $0.base == nil && $0.declName.baseName.text == "once" } == true
        }
    }

    private func arguments(of call: FunctionCallExprSyntax) -> [Argument] {
        var all = call.arguments.map { Argument(label: $0.label?.text, value: $0.expression, isTrailing: false) }
        if let closure = call.trailingClosure {
            all.append(Argument(label: nil, value: ExprSyntax(closure), isTrailing: true))
        }
        for more in call.additionalTrailingClosures {
            all.append(Argument(label: more.label.text, value: ExprSyntax(more.closure), isTrailing: true))
        }
        return all
    }

    /// The token, a method of it, a local closure that has it, or a closure that mentions it.
    func isPassedOn(_ value: ExprSyntax) -> Bool {
        if tokenArgument(value) != nil { return true }
        return value.bare.as(ClosureExprSyntax.self).map { mentions($0) } ?? false
    }

    /// Whether it is the token itself, or what stands for it.
    func isHandedOver(_ value: ExprSyntax) -> Bool { tokenArgument(value) != nil }

    /// How often a call of this argument delivers, if it is the token or stands for it.
    private func tokenArgument(_ value: ExprSyntax) -> Frequency? {
        if isToken(value) { return .always }
        if let name = value.unwrapped.identifier { return names.derived[name]?.frequency }
        if let member = value.unwrapped.as(MemberAccessExprSyntax.self), let base = member.base, isToken(base),
            token.isContinuation, member.declName.baseName.text == "resume"
        {
            return .always
        }
        if let sequence = value.bare.as(SequenceExprSyntax.self),
            case .coalescing(let left, _) = Operation(Array(sequence.elements)), left.count == 1, isToken(left[0])
        {
            return .always
        }
        return nil
    }

    private mutating func pass(
        _ argument: Argument,
        to call: FunctionCallExprSyntax,
        named name: String,
        of all: [Argument],
        isStatement: Bool
    ) -> Step {
        if let closure = argument.value.bare.as(ClosureExprSyntax.self) {
            return lower(closure, as: argument, of: all, to: call, named: name, isStatement: isStatement)
        }
        let frequency = tokenArgument(argument.value) ?? .unknown
        if frequency == .never { return .nothing }
        let position = argument.value.start
        let label = argument.label
        if frequency == .sometimes, isStatement, label.map({ Names.isCompletion($0) }) == true,
            let derived = argument.value.unwrapped.identifier.flatMap({ names.derived[$0] })
        {
            return .deliver(Delivery(position: derived.position, manner: .deferred, isConditional: true))
        }
        guard frequency == .always else { return .escape }
        var delegate = Delivery(position: position, manner: .delegate, isConditional: carriers > 1)
        delegate.isHook = Names.isAnimation(name)
        let promise = knowledge.summary(of: name, labels: all.map(\.label), label: argument.label)
        switch promise {
        case .always? where isStatement: return .deliver(delegate)
        // It is stored under another name, or an override of it does the work.
        case .never?: return .escape
        // A function that sometimes delivers has a finding of its own.
        case .always?, .sometimes?, .unknown?, nil: break
        }
        let isMethod = !isToken(argument.value) && token.isContinuation
        let isPromised = isMethod || argument.label.map { Names.isCompletion($0) } == true && !token.isContinuation
        let lowered = name.lowercased()
        let isTimer = Names.timeWords.contains { lowered.contains($0) }
        if argument.label == "execute", !token.isContinuation, isStatement, ["async", "asyncAfter"].contains(name) {
            return .deliver(Delivery(position: position, manner: .deferred, isConditional: carriers > 1))
        }
        guard isPromised, !isTimer else { return .escape }
        guard isStatement, !call.isInitializer else { return .hand(position: position) }
        return .deliver(delegate)
    }

    // MARK: Effects

    /// What a call does besides what it does with its arguments.
    private func effect(of call: FunctionCallExprSyntax, named name: String) -> Step {
        let callee = call.calledExpression.unwrapped
        if let identifier = callee.identifier {
            if Names.neverReturn.contains(identifier) || neverReturning.contains(identifier)
                || knowledge.neverReturns(identifier)
            {
                return .stop
            }
            if Names.impossible.contains(identifier) { return .excuse(.accepted) }
            if identifier == "precondition", call.arguments.first?.expression.key == "false" { return .stop }
            if identifier == "assert", call.arguments.first?.expression.key == "false" {
                return .excuse(.accepted)
            }
            if names.siblings.contains(identifier) { return .excuse(.sibling) }
            switch identifier {
            case "os_unfair_lock_lock", "pthread_mutex_lock", "objc_sync_enter": return .lock(.mutex)
            case "os_unfair_lock_unlock", "pthread_mutex_unlock", "objc_sync_exit": return .unlock(.mutex)
            default: return .nothing
            }
        }
        guard let member = callee.as(MemberAccessExprSyntax.self) else { return .nothing }
        if call.arguments.isEmpty, call.trailingClosure == nil {
            switch name {
            case "lock": return .lock(.mutex)
            case "unlock": return .unlock(.mutex)
            default: break
            }
        }
        let isIssue = member.base?.unwrapped.identifier == "Issue" && name == "record"
        if isIssue || Names.impossible.contains(name) { return .excuse(.accepted) }
        if knowledge.neverReturns(name) { return .stop }
        // In a chain the first call tells: to ask each one for the root would take the square of the chain's length.
        guard member.base?.unwrapped.is(FunctionCallExprSyntax.self) != true else { return .nothing }
        guard let root = member.base?.root.identifier, root != "self" else { return .nothing }
        return .forget(root)
    }

    /// What tells whether the receiver of `x?.load { … }` is `nil`.
    private mutating func absence(ofReceiver callee: ExprSyntax) -> Fact? {
        var base = callee.unwrapped.as(MemberAccessExprSyntax.self)?.base
        while let current = base, !current.is(OptionalChainingExprSyntax.self) {
            base = current.as(MemberAccessExprSyntax.self)?.base
        }
        guard let receiver = base?.as(OptionalChainingExprSyntax.self)?.expression, !receiver.identifiers.isEmpty else {
            return nil
        }
        return fact(receiver.key + "#nil", names: receiver.identifiers)
    }

    /// Why the call may be skipped.
    ///
    /// `self?.load { … }`: if the receiver is gone, so is the closure. `delegate.load?(completion)`: it may have no
    /// such method.
    func dropOfOptionalReceiver(_ callee: ExprSyntax) -> Drop? {
        guard var base = callee.unwrapped.as(MemberAccessExprSyntax.self)?.base else { return nil }
        // Called on `self` it is a closure in a property, which somebody sets.
        var isOptional = callee.bare.is(OptionalChainingExprSyntax.self)
        if isOptional, base.root.identifier != "self" { return hasAskedForMethods ? nil : .optionalMethod }
        while true {
            if let chaining = base.as(OptionalChainingExprSyntax.self) {
                isOptional = true
                base = chaining.expression
            } else if let member = base.as(MemberAccessExprSyntax.self), let next = member.base {
                base = next
            } else {
                break
            }
        }
        guard isOptional else { return nil }
        guard base.identifier == "self", hasWeakSelf else { return .optionalReceiver }
        return isSelfKept ? nil : .weakSelf
    }
}

extension FunctionCallExprSyntax {
    /// `load` of `api.load(…)`.
    var calledName: String? {
        let callee = calledExpression.unwrapped
        if let member = callee.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
        if let generic = callee.as(GenericSpecializationExprSyntax.self) { return generic.expression.identifier }
        return callee.identifier
    }

    /// Whether it makes a value of a type: by its name, a type's.
    var isInitializer: Bool {
        guard let name = calledName else { return false }
        return name == "init" || name.first?.isUppercase == true
    }

    /// Whether it makes a value that is there: by its name, a type's.
    ///
    /// An initializer may fail, but what an optional gets on the line above a call is meant to be there.
    var makesValue: Bool { isInitializer && calledExpression.unwrapped.identifier != nil }
}
