// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension Lowering {
    /// Decides who calls a closure with the token that is an argument of a call, and when.
    mutating func lower(
        _ closure: ClosureExprSyntax,
        as argument: Argument,
        of all: [Argument],
        to call: FunctionCallExprSyntax,
        named name: String,
        isStatement: Bool
    ) -> Step {
        var use = use(of: closure, as: argument, of: all, to: call, named: name)
        // What answers a question often takes the closure only if the answer is yes.
        if isAsked, use == .likely { use = .unknown }
        if isWork(argument, of: all) {
            use = .now
            carriers -= 1
        }
        if use == .likely, call.isInitializer, Names.isListener(name) { use = .unknown }
        // What a value is made of is not under way yet.
        if use == .likely, isPartOfAValue, !Names.isCompletion(argument.label ?? "") { use = .unknown }
        if use == .many, call.takesOnlyFirst || all.contains(where: \.isOnce) { use = .unknown }
        // An observer is called many times, and its completion once.
        if use == .many, argument.label.map({ Names.isCompletion($0) }) == true { use = .likely }
        isAsked = false
        let wanted = wantedAnswer
        wantedAnswer = nil
        // An object that has it as its handler of errors, or at all, is not under way yet: others may deliver first.
        let isKept = isBound && (call.isInitializer || closure.parameterNames == ["error"] && argument.isTrailing)
        isBound = false
        let receiver = call.calledExpression.unwrapped.as(MemberAccessExprSyntax.self)?.base?.unwrapped.changedName
        if Names.runsOnce(name) || receiver.map({ Names.isOnce($0) }) == true {
            return .all([.excuse(.latch), carrier(closure, .unknown)])
        }
        switch use {
        case .now, .locked:
            let body = body(of: closure, canThrow: canThrow, answer: wanted)
            let inline = Step.inline(body, decides: !isStatement && wanted == nil)
            guard use == .locked else { return inline }
            let lock = name == "sync" ? Lock.queue : .mutex
            return .all([.lock(lock), inline, .unlock(lock)])
        case .loop:
            let body = inLoop { .inline($0.body(of: closure, canThrow: $0.canThrow)) }
            var loop = Loop(position: call.start, kind: .any, condition: .test(nil), body: body)
            loop.isEmpty = call.calledExpression.unwrapped.as(MemberAccessExprSyntax.self)?.base.flatMap { isEmpty($0) }
            return .loop(loop)
        case .task: return carrier(closure, .later, swallowsErrors: true)
        case .later: return carrier(closure, .later)
        case .likely:
            return carrier(
                closure,
                .likely,
                isAssigned: isKept || Names.isForOneEnd(name),
                isHalf: halves(of: all).contains { $0.value == argument.value }
            )
        case .many: return carrier(closure, .many)
        case .unknown: return carrier(closure, .unknown, isPartOfAnObject: call.isInitializer)
        case .never: return .nothing
        }
    }

    /// Whether it is the closure of `write({ … }, completion: { … })` that is run before the other one.
    private func isWork(_ argument: Argument, of all: [Argument]) -> Bool {
        let closures = all.filter { $0.value.bare.is(ClosureExprSyntax.self) }
        guard closures.count == 2, closures[0].value == argument.value, argument.label == nil, !argument.isTrailing,
            let label = closures[1].label, Names.isCompletion(label), isPassedOn(closures[1].value)
        else { return false }
        return carriers == 2
    }

    /// The closures of which one is called: `success:` and `failure:`, or one without a label before `failure:`.
    func halves(of all: [Argument]) -> [Argument] {
        let closures = all.filter { $0.value.bare.is(ClosureExprSyntax.self) }
        guard closures.count == 2 else { return [] }
        let named = closures.filter { $0.label.map { Names.isHalfLabel($0) || Names.isHalfOfAPair($0) } == true }
        if named.count == 2 { return closures }
        let isTrailing = closures[0].label == nil && closures[0].isTrailing
        let isFailure = ["failure", "error"].contains { closures[1].label?.lowercased().contains($0) == true }
        return named.count == 1 && isTrailing && isFailure ? closures : []
    }

    /// The half of a pair that does not know the token, while the other has it: a way on which nobody delivers.
    func muteHalf(of all: [Argument]) -> ClosureExprSyntax? {
        let halves = halves(of: all)
        let mute = halves.filter { !isPassedOn($0.value) }
        guard halves.count == 2, mute.count == 1 else { return nil }
        return mute[0].value.bare.as(ClosureExprSyntax.self)
    }

    private func use(
        of closure: ClosureExprSyntax,
        as argument: Argument,
        of all: [Argument],
        to call: FunctionCallExprSyntax,
        named name: String
    ) -> APITable.Use {
        let receiver = call.calledExpression.unwrapped.as(MemberAccessExprSyntax.self)?.base?.unwrapped.calledOrNamed
        let summary = knowledge.summary(of: name, labels: all.map(\.label), label: argument.label)
        // A function of the project's own is not the API of that name.
        let isOwn = summary != nil && (receiver == nil || receiver == "self")
        if !isOwn, let known = knowledge.apis.use(of: name, on: receiver, label: argument.label) { return known }
        if call.calledExpression.is(ClosureExprSyntax.self) { return .now }
        if let summary {
            switch summary {
            case .always: return .likely
            case .never: return .unknown
            case .sometimes, .unknown: break
            }
        }
        let lowered = name.lowercased()
        if Names.timeWords.contains(where: { lowered.contains($0) }) { return .unknown }
        if let label = argument.label {
            if Names.isCompletion(label) { return call.isInitializer ? .unknown : .likely }
            return carriers > 1 && (Names.isHalfOfAPair(label) || Names.isHalfLabel(label)) ? .likely : .unknown
        }
        if Names.isHop(lowered) { return .later }
        guard argument.isTrailing else { return .unknown }
        if halves(of: all).contains(where: { $0.value == argument.value }) { return .likely }
        let parameters = closure.parameterNames
        if Names.isAnswer(parameters) { return .likely }
        let closures = all.filter { $0.value.bare.is(ClosureExprSyntax.self) }
        guard closures.count == 1, !call.isInitializer else { return .unknown }
        let hasOneParameter = parameters.filter { $0 != "_" }.count == 1 || parameters == ["_"]
        let takesOne = hasOneParameter || parameters.isEmpty && closure.mentionsDollar
        return (takesOne || token.isContinuation) && !Names.isIteration(parameters) ? .likely : .unknown
    }

    // MARK: Bodies

    /// The body of a closure that is called in place.
    mutating func body(of closure: ClosureExprSyntax, canThrow: Bool, answer: Fact? = nil) -> Step {
        let (outer, weak, outerCarriers, couldThrow) = (names, hasWeakSelf, carriers, self.canThrow)
        let (outerAnswer, wasPartOfAValue) = (self.answer, isPartOfAValue)
        defer {
            (names, hasWeakSelf, carriers, self.canThrow) = (outer, weak, outerCarriers, couldThrow)
            (self.answer, isPartOfAValue) = (outerAnswer, wasPartOfAValue)
        }
        isPartOfAValue = false
        self.canThrow = canThrow
        self.answer = answer
        enter(closure)
        return lower(body: closure.statements)
    }

    /// A closure that is called later, as a scope of its own.
    mutating func carrier(
        _ closure: ClosureExprSyntax,
        _ kind: Carrier.Kind,
        swallowsErrors: Bool = false,
        isAssigned: Bool = false,
        isHalf: Bool = false,
        isPartOfAnObject: Bool = false
    ) -> Step {
        let (outerLoops, wasOneOfMany, wasSelfKept) = (loops, isOneOfMany, isSelfKept)
        loops = 0
        isSelfKept = false
        isOneOfMany = isOneOfMany || outerLoops > 0
        defer { (loops, isOneOfMany, isSelfKept) = (outerLoops, wasOneOfMany, wasSelfKept) }
        let body = body(of: closure, canThrow: swallowsErrors)
        return .carrier(
            Carrier(
                position: closure.start,
                end: closure.rightBrace.start,
                kind: kind,
                body: body,
                swallowsErrors: swallowsErrors,
                hasRivals: carriers > 1 || outerLoops > 0,
                isAssigned: isAssigned,
                isHalf: isHalf,
                isPartOfAnObject: isPartOfAnObject,
                getsAnswer: Names.isAnswerAlone(closure.parameterNames)
            )
        )
    }

    /// How many closures and arguments of an expression have the token, not counting those in others.
    func closuresWithToken(in node: Syntax) -> Int {
        guard mentions(node) else { return 0 }
        if node.is(ClosureExprSyntax.self) { return 1 }
        if let argument = node.as(LabeledExprSyntax.self)?.expression, isHandedOver(argument) { return 1 }
        return node.children(viewMode: .sourceAccurate).reduce(0) { $0 + closuresWithToken(in: $1) }
    }
}

extension ExprSyntax {
    /// `queue` of `queue`, `main` of `DispatchQueue.main`, `global` of `DispatchQueue.global()`.
    fileprivate var calledOrNamed: String? {
        if let call = self.as(FunctionCallExprSyntax.self) { return call.calledName }
        if let member = self.as(MemberAccessExprSyntax.self) { return member.declName.baseName.text }
        return identifier
    }
}

extension FunctionCallExprSyntax {
    /// Whether it is called on a publisher that ends after its first value, or makes a timer that fires once.
    fileprivate var takesOnlyFirst: Bool {
        if arguments.contains(where: { $0.label?.text == "repeats" && $0.expression.key == "false" }) { return true }
        var base = calledExpression.unwrapped.as(MemberAccessExprSyntax.self)?.base?.unwrapped
        while let call = base?.as(FunctionCallExprSyntax.self) {
            if let name = call.calledName {
                if ["first", "prefix", "last", "single", "asSingle", "asMaybe"].contains(name) { return true }
                if name == "take", call.arguments.first?.expression.key == "1" { return true }
            }
            base = call.calledExpression.unwrapped.as(MemberAccessExprSyntax.self)?.base?.unwrapped
        }
        return false
    }
}

extension ClosureExprSyntax {
    /// Whether a closure around it holds `self` weakly.
    var isInWeakClosure: Bool {
        var node = parent
        while let current = node, !current.is(FunctionDeclSyntax.self) {
            if let closure = current.as(ClosureExprSyntax.self), closure.holdsSelfWeakly { return true }
            node = current.parent
        }
        return false
    }

    private var holdsSelfWeakly: Bool {
        signature?.capture?.items.contains {
            $0.name.text == "self" && $0.specifier?.specifier.tokenKind == .keyword(.weak)
        } == true
    }

    /// Whether each `return` in it answers `true` or `false`.
    var answersOnlyLiterals: Bool {
        var answers = false
        for token in statements.tokens(viewMode: .sourceAccurate) where token.tokenKind == .keyword(.return) {
            let next = token.nextToken(viewMode: .sourceAccurate)?.tokenKind
            guard next == .keyword(.true) || next == .keyword(.false) else { return false }
            answers = true
        }
        return answers
    }

    /// Whether it answers whether it is the first one, and says so to the next.
    ///
    /// `guard !isDone else { return false }`, `isDone = true`, `return true`
    var testsAndSets: Bool {
        guard answersOnlyLiterals else { return false }
        return statements.tokens(viewMode: .sourceAccurate).contains { token in
            guard token.tokenKind == .keyword(.true),
                let equal = token.previousToken(viewMode: .sourceAccurate), equal.tokenKind == .equal,
                equal.parent?.is(AssignmentExprSyntax.self) == true,
                case .identifier(let name)? = equal.previousToken(viewMode: .sourceAccurate)?.tokenKind
            else { return false }
            return statements.filter { $0.start < token.start }.contains { $0.asksAbout(name) }
        }
    }

    /// Whether it uses `$0`.
    fileprivate var mentionsDollar: Bool {
        statements.tokens(viewMode: .sourceAccurate).contains {
            if case .dollarIdentifier = $0.tokenKind { true } else { false }
        }
    }
}

extension CodeBlockItemSyntax {
    /// Whether it is a `guard` or an `if` that mentions the name in its condition.
    fileprivate func asksAbout(_ name: String) -> Bool {
        switch item {
        case .stmt(let statement):
            if let node = statement.as(GuardStmtSyntax.self) { return node.conditions.identifiers.contains(name) }
            let choice = statement.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
            return choice?.conditions.identifiers.contains(name) == true
        case .expr(let expression):
            return expression.as(IfExprSyntax.self)?.conditions.identifiers.contains(name) == true
        case .decl: return false
        }
    }
}
