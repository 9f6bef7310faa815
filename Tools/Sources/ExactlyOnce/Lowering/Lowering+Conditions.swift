// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension Lowering {
    /// A list of conditions.
    ///
    /// The names that it binds stay bound: the caller restores them.
    mutating func lower(_ list: ConditionElementListSyntax) -> Condition {
        var parts: [Condition] = []
        for element in list {
            switch element.condition {
            case .expression(let expression): parts.append(lower(condition: expression))
            case .availability(let node):
                let versions = node.availabilityArguments.map(\.argument.key).filter { $0 != "*" }
                let test = Condition.test(fact("#available" + versions.joined(separator: ","), names: []))
                let isAvailable = node.availabilityKeyword.tokenKind == .poundAvailable
                parts.append(isAvailable ? test : .not(test))
            case .optionalBinding(let binding): parts.append(lower(binding))
            case .matchingPattern(let match):
                let before = lower(match.initializer.value, isStatement: false, isCondition: true)
                parts.append(.after(before, matches(match.pattern, match.initializer.value)))
            }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func lower(_ binding: OptionalBindingConditionSyntax) -> Condition {
        let bound = binding.pattern.boundNames
        let value = binding.initializer?.value
        let source = value ?? bound.first.map { ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier($0))) }
        if let name = bound.first, let source, isToken(source) {
            names.alias(name)
            // What a local variable holds does not get lost with the property.
            return token.isProperty ? .all([.present, .after(.escape, .constant(true))]) : .present
        }
        let isSelf = source?.unwrapped.identifier == "self" || bound.first == "self"
        if isSelf, hasWeakSelf { return isSelfKept ? .constant(true) : .unless(.weakSelf, .test(nil)) }
        if let held = source?.unwrapped.identifier, names.weak.contains(held) {
            return .unless(.optionalReceiver, .test(nil))
        }
        let before = value.map { lower($0, isStatement: false, isCondition: true) } ?? .nothing
        var condition = Condition.not(isNil(source))
        if let value, isLatch(value) { condition = .latch(condition) }
        // Who comes second finds nothing there.
        let isTakenOut = source?.identifier.map { names.takenOut.contains($0) } ?? false
        if isTakenOut || value?.isTakenOut == true { condition = .excused(.latch, condition) }
        if let name = source?.identifier, unstable.contains(name) { condition = .excused(.unset, condition) }
        names.shadow(bound.filter { $0 != source?.identifier })
        let forgotten = bound.filter { $0 != source?.identifier }.map { Step.forget($0) }
        return .after(.all([before] + forgotten), condition)
    }

    /// Whether `source` is `nil`.
    private mutating func isNil(_ source: ExprSyntax?) -> Condition {
        guard let source else { return .test(nil) }
        // `x as? T` says nothing of `x` itself.
        let known = fact(source.key + "#nil", names: source.identifiers)
        if let known, let name = source.identifier, names.parameters.contains(name) {
            facts.keep(parameterIsNil: known)
        }
        return .test(known)
    }

    mutating func lower(condition expression: ExprSyntax) -> Condition {
        let expression = expression.bare
        if let literal = expression.as(BooleanLiteralExprSyntax.self) {
            return .constant(literal.literal.tokenKind == .keyword(.true))
        }
        if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
            return .not(lower(condition: prefix.expression))
        }
        if let sequence = expression.as(SequenceExprSyntax.self) { return lower(condition: Array(sequence.elements)) }
        return atom(expression, [expression])
    }

    /// The condition of an `#if`: no code is run for it.
    mutating func lower(configuration expression: ExprSyntax) -> Condition {
        let expression = expression.bare
        if let literal = expression.as(BooleanLiteralExprSyntax.self) {
            return .constant(literal.literal.tokenKind == .keyword(.true))
        }
        if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
            return .not(lower(configuration: prefix.expression))
        }
        if let sequence = expression.as(SequenceExprSyntax.self) {
            return lower(configuration: Array(sequence.elements))
        }
        if let call = expression.as(FunctionCallExprSyntax.self), let name = call.calledName,
            let only = call.arguments.first, call.arguments.count == 1,
            ["os", "arch", "targetEnvironment"].contains(name)
        {
            return .test(facts.fact(subject: "#" + name, case: only.expression.key, names: []))
        }
        return .test(facts.fact("#" + expression.key, names: []))
    }

    private mutating func lower(configuration elements: [ExprSyntax]) -> Condition {
        if elements.count == 1 { return lower(configuration: elements[0]) }
        switch Operation(elements) {
        case .and(let left, let right): return .all([lower(configuration: left), lower(configuration: right)])
        case .or(let left, let right): return .any([lower(configuration: left), lower(configuration: right)])
        case .assignment, .choice, .coalescing, .comparison, .plain:
            return .test(facts.fact("#" + elements.map(\.key).joined(), names: []))
        }
    }

    mutating func lower(condition elements: [ExprSyntax]) -> Condition {
        if elements.count == 1 { return lower(condition: elements[0]) }
        switch Operation(elements) {
        case .and(let left, let right): return .all([lower(condition: left), lower(condition: right)])
        case .or(let left, let right): return .any([lower(condition: left), lower(condition: right)])
        case .comparison(let left, let isEqual, let right):
            return compare(left, right, isEqual: isEqual, whole: elements)
        case .choice(let condition, let then, let otherwise):
            let test = lower(condition: condition)
            let yes = lower(condition: then)
            return .any([.all([test, yes]), .all([.not(test), lower(condition: otherwise)])])
        case .plain where elements.count == 3 && elements[2].isZero && elements[1].isGreater:
            guard let collection = counted(elements[0]), let isEmpty = isEmpty(collection) else {
                return atom(elements[0], elements)
            }
            return .not(.test(isEmpty))
        case .coalescing, .plain, .assignment: return atom(elements[0], elements)
        }
    }

    private mutating func compare(
        _ left: [ExprSyntax],
        _ right: [ExprSyntax],
        isEqual: Bool,
        whole: [ExprSyntax]
    ) -> Condition {
        func signed(_ condition: Condition) -> Condition { isEqual ? condition : .not(condition) }
        guard left.count == 1, right.count == 1 else { return atom(whole[0], whole) }
        if right[0].isNil {
            if isToken(left[0]) { return signed(.not(.present)) }
            if left[0].unwrapped.identifier == "self", hasWeakSelf {
                guard !isSelfKept else { return .constant(!isEqual) }
                return signed(.not(.unless(.weakSelf, .test(nil))))
            }
            return .after(lower(left[0], isStatement: false, isCondition: true), signed(isNil(left[0])))
        }
        if let literal = right[0].as(BooleanLiteralExprSyntax.self) {
            let isTrue = literal.literal.tokenKind == .keyword(.true)
            let condition = lower(condition: left[0])
            return isTrue == isEqual ? condition : .not(condition)
        }
        if right[0].isZero, let collection = counted(left[0]), let isEmpty = isEmpty(collection) {
            return signed(.test(isEmpty))
        }
        // `state == .done` is the same question as `case .done = state`.
        if let member = right[0].as(MemberAccessExprSyntax.self), member.base == nil, !isLatch(left + right) {
            let known = fact(subject: left[0], case: member.declName.baseName.text)
            return .after(lower(left[0], isStatement: false, isCondition: true), signed(.test(known)))
        }
        let key = left[0].key + "==" + right[0].key
        return atom(key: key, whole, isEqual: isEqual)
    }

    /// Whether there is nothing in a collection: `x.isEmpty`, `x.count == 0`, a loop over it without a turn.
    mutating func isEmpty(_ collection: ExprSyntax) -> Fact? {
        var collection = collection.unwrapped
        while true {
            if let call = collection.as(FunctionCallExprSyntax.self), call.arguments.isEmpty,
                call.trailingClosure == nil,
                let member = call.calledExpression.as(MemberAccessExprSyntax.self), let base = member.base,
                ["enumerated", "reversed"].contains(member.declName.baseName.text)
            {
                collection = base.unwrapped
            } else if let member = collection.as(MemberAccessExprSyntax.self), let base = member.base,
                ["indices", "values", "keys", "lazy"].contains(member.declName.baseName.text)
            {
                collection = base.unwrapped
            } else {
                break
            }
        }
        guard collection.is(DeclReferenceExprSyntax.self) || collection.is(MemberAccessExprSyntax.self) else {
            return nil
        }
        return fact(collection.key + ".isEmpty", names: collection.identifiers)
    }

    /// `x` of `x.count`.
    private func counted(_ expression: ExprSyntax) -> ExprSyntax? {
        guard let member = expression.unwrapped.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "count"
        else { return nil }
        return member.base
    }

    private mutating func atom(_ first: ExprSyntax, _ elements: [ExprSyntax]) -> Condition {
        atom(key: elements.map(\.key).joined(separator: " "), elements, isEqual: true)
    }

    private mutating func atom(key: String, _ elements: [ExprSyntax], isEqual: Bool) -> Condition {
        if elements.count == 1, let name = elements[0].identifier, let value = constants[name] {
            return .constant(value)
        }
        let before = Step.all(elements.map { lower($0, isStatement: false, isCondition: true) })
        let mentioned = elements.flatMap(\.identifiers)
        var test = Condition.test(fact(key, names: mentioned))
        if !isEqual { test = .not(test) }
        let flags = flags.union(names.firstOnes)
        let isFlag = elements.count == 1 && elements[0].identifier.map { flags.contains($0) } == true
        if isFlag || Names.isLatch(key, names: mentioned, except: names.parameters) || isCounter(elements, mentioned) {
            test = .latch(test)
        } else if Names.isCancellation(mentioned) {
            test = .not(.unless(.cancelled, .not(test)))
        }
        return .after(before, test)
    }

    /// Whether a value has the shape of a pattern.
    ///
    /// Binds the pattern's names.
    mutating func matches(_ pattern: PatternSyntax, _ subject: ExprSyntax) -> Condition {
        names.shadow(pattern.boundNames.filter { $0 != subject.identifier })
        let forgotten = Step.all(pattern.boundNames.filter { $0 != subject.identifier }.map { .forget($0) })
        guard let (name, isWhole) = pattern.caseName else {
            let isWildcard = pattern.is(WildcardPatternSyntax.self) || pattern.bindsEverything
            if isWildcard { return .after(forgotten, .constant(true)) }
            if let literal = pattern.as(ExpressionPatternSyntax.self)?.expression.as(BooleanLiteralExprSyntax.self) {
                let isTrue = literal.literal.tokenKind == .keyword(.true)
                let condition = lower(condition: subject)
                return isTrue ? condition : .not(condition)
            }
            return .after(forgotten, isLatch(subject) ? .latch(.test(nil)) : .test(nil))
        }
        let known = Condition.test(fact(subject: subject, case: name))
        let condition = isWhole ? known : .all([known, .test(nil)])
        return .after(forgotten, isLatch([subject]) ? .latch(condition) : condition)
    }

    /// Whether a condition compares what closures count, such as `done == total`: the last of them delivers.
    private func isCounter(_ elements: [ExprSyntax], _ mentioned: [String]) -> Bool {
        // In one of several closures a comparison of two numbers asks whether it is the last one.
        let isOfMany = isOneOfMany && mentioned.contains { Names.isCount($0) } && !elements.contains { $0.isNoNumber }
        guard isOfMany || !unstable.isDisjoint(with: mentioned) else { return false }
        return elements.contains { element in
            guard let name = element.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
            return ["==", "<", ">", "<=", ">="].contains(name)
        }
    }

    // MARK: Facts

    private func isLatch(_ expression: ExprSyntax) -> Bool { isLatch([expression]) }

    private func isLatch(_ elements: [ExprSyntax]) -> Bool {
        Names.isLatch("", names: elements.flatMap(\.identifiers), except: names.parameters)
    }

    mutating func fact(_ key: String, names mentioned: [String]) -> Fact? {
        guard unstable.isDisjoint(with: mentioned) else { return nil }
        // `self.x` is the same as `x`.
        let isOwn = key.hasPrefix("self.")
        return facts.fact(isOwn ? String(key.dropFirst(5)) : key, names: mentioned)
    }

    private mutating func fact(subject: ExprSyntax, case name: String) -> Fact? {
        let mentioned = subject.identifiers
        guard unstable.isDisjoint(with: mentioned) else { return nil }
        return facts.fact(subject: subject.key, case: name, names: mentioned)
    }
}

extension ExprSyntax {
    /// Whether a store gives it once: `requests.removeValue(forKey: id)`, with or without a lock around it.
    var isTakenOut: Bool {
        guard let call = unwrapped.as(FunctionCallExprSyntax.self) else { return false }
        if call.calledName == "removeValue" { return true }
        guard case .expr(let last)? = call.trailingClosure?.statements.last?.item else {
            let answer = call.trailingClosure?.statements.last?.item.as(ReturnStmtSyntax.self)?.expression
            return answer?.isTakenOut ?? false
        }
        return last.isTakenOut
    }

    fileprivate var isZero: Bool { self.as(IntegerLiteralExprSyntax.self)?.literal.text == "0" }
    fileprivate var isGreater: Bool { self.as(BinaryOperatorExprSyntax.self)?.operator.text == ">" }

    /// Whether it is written as something else than a number.
    fileprivate var isNoNumber: Bool {
        isNil || self.is(StringLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
            || self.as(MemberAccessExprSyntax.self).map { $0.base == nil } == true
    }
}

extension PatternSyntax {
    /// The enumeration's case that it names, and whether it takes every value of that case.
    var caseName: (name: String, isWhole: Bool)? {
        if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.caseName }
        guard let expression = self.as(ExpressionPatternSyntax.self)?.expression else { return nil }
        if let member = expression.as(MemberAccessExprSyntax.self), member.base.map({ $0.identifier != nil }) ?? true {
            return (member.declName.baseName.text, true)
        }
        if expression.isNil { return ("none", true) }
        if let optional = expression.as(OptionalChainingExprSyntax.self), optional.expression.is(PatternExprSyntax.self)
        {
            return ("some", true)
        }
        guard let call = expression.as(FunctionCallExprSyntax.self),
            let member = call.calledExpression.as(MemberAccessExprSyntax.self)
        else { return nil }
        let isWhole = call.arguments.allSatisfy { argument in
            argument.expression.is(DiscardAssignmentExprSyntax.self)
                || argument.expression.as(PatternExprSyntax.self)?.pattern.isSimple == true
        }
        return (member.declName.baseName.text, isWhole)
    }

    private var isSimple: Bool {
        if let binding = self.as(ValueBindingPatternSyntax.self) { return binding.pattern.isSimple }
        return self.is(IdentifierPatternSyntax.self) || self.is(WildcardPatternSyntax.self)
    }

    /// `let x`, `var x`.
    fileprivate var bindsEverything: Bool {
        self.as(ValueBindingPatternSyntax.self)?.pattern.is(IdentifierPatternSyntax.self) == true
            || self.is(IdentifierPatternSyntax.self)
    }
}
