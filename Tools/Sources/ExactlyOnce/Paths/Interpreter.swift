// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs steps over sets of path states.
///
/// It needs no control flow graph: Swift's control flow is structured, so each step maps the states before it to the
/// states after it and to those that leave by `return`, `throw`, `break` or `continue`.
package struct Interpreter {
    let facts: FactTable
    /// In how many loops the step is.
    private var depth = 0
    /// In more loops than these, one turn has to do: a second one in each doubles the work.
    private static let twoTurnDepth = 4

    var trace = Trace()
    var innerIndex: [Int: Int] = [:]
    var doublesAt: [Int: Set<Trace.Double>] = [:]

    private init(facts: FactTable) { self.facts = facts }

    /// What the paths of a body do, which ends at `end`.
    package static func trace(_ body: Step, end: Int, facts: FactTable) -> Trace {
        var interpreter = Interpreter(facts: facts)
        let outcome = interpreter.run(body, States([PathState()]))
        interpreter.close(outcome, end: end)
        return interpreter.trace
    }

    private mutating func close(_ outcome: Outcome, end: Int) {
        var ends: Set<Trace.End> = []
        func add(_ kind: Trace.End.Kind, _ position: Int, _ states: States) {
            for var state in states.all {
                state.facts = state.facts.filter { facts.isParameterNil($0.key) }
                let new = Trace.End(kind: kind, position: position, state: state)
                if ends.insert(new).inserted { trace.ends.append(new) }
            }
            trace.isIncomplete = trace.isIncomplete || states.isIncomplete
        }
        for leaving in outcome.exits {
            switch leaving.exit.kind {
            case .throw: add(.throw, leaving.exit.position, leaving.states)
            case .return: add(.return, leaving.exit.position, leaving.states)
            case .break, .continue, .fallthrough: add(.end, end, leaving.states)
            }
        }
        add(.end, end, outcome.normal)
    }

    // MARK: Steps

    package mutating func run(_ step: Step, _ states: States) -> Outcome {
        guard !states.isEmpty else { return Outcome() }
        switch step {
        case .nothing: return Outcome(states)
        case .sequence(let steps): return run(steps, states)
        case .deliver(let delivery): return Outcome(deliver(delivery, states))
        case .escape:
            (trace.isUsed, trace.isHandedOn) = (true, true)
            return Outcome(states.map { $0.changed { $0.hasEscaped = true } })
        case .lend: return Outcome(states.map { $0.changed { $0.hasEscaped = true } })
        case .own: return Outcome(states.map { $0.changed { $0.hasEscaped = false } })
        case .hand(let position): return Outcome(hand(Delivery(position: position, manner: .handed), states))
        case .void: return Outcome(states.map { $0.changed { $0.isVoid = true } })
        case .excuse(let excuse): return Outcome(states.map { $0.changed { $0.excuses.insert(excuse) } })
        case .branch(let branch): return run(branch, states)
        case .select(let selection): return run(selection.cases, states)
        case .loop(let loop): return run(loop, states)
        case .labeled(let label, let body):
            var outcome = run(body, states)
            outcome.normal.formUnion(outcome.take { $0 == .break(label) })
            return outcome
        case .exit(let exit):
            var outcome = Outcome()
            outcome.leave(exit, states)
            return outcome
        case .stop: return Outcome()
        case .mayThrow(let position):
            var outcome = Outcome(states)
            outcome.leave(Exit(kind: .throw, position: position), states)
            return outcome
        case .attempt(let attempt): return run(attempt, states)
        case .deferring(let body, let rest): return run(deferring: body, rest: rest, states)
        case .inline(let body, let decides): return run(inline: body, decides: decides, states)
        case .carrier(let carrier): return Outcome(run(carrier, states))
        case .optionally(let drop, let isNil, let body): return run(optionally: drop, isNil, body, states)
        case .forget(let name):
            let forgotten = facts.facts(mentioning: name)
            guard !forgotten.isEmpty else { return Outcome(states) }
            return Outcome(states.map { $0.changed { state in for fact in forgotten { state.facts[fact] = nil } } })
        case .learn(let fact, let value):
            guard facts.isWorthKnowing(fact) else { return Outcome(states) }
            return Outcome(states.map { $0.changed { $0.facts[fact] = value } })
        case .lock(let lock): return Outcome(states.map { $0.changed { $0.locks.append(lock) } })
        case .unlock(let lock):
            return Outcome(
                states.map {
                    $0.changed { state in
                        if let index = state.locks.lastIndex(of: lock) { state.locks.remove(at: index) }
                    }
                }
            )
        case .overwrite(let position): return Outcome(store(.overwritten, position, states))
        case .clear(let position): return Outcome(store(.dropped, position, states))
        }
    }

    private mutating func run(_ steps: [Step], _ states: States) -> Outcome {
        var outcome = Outcome(states)
        for step in steps {
            guard !outcome.normal.isEmpty else { break }
            let next = run(step, outcome.normal)
            outcome.normal = next.normal
            outcome.add(exitsOf: next)
        }
        return outcome
    }

    private mutating func run(_ branch: Branch, _ states: States) -> Outcome {
        var outcome = Outcome()
        let (yes, no) = evaluate(branch.condition, states, &outcome)
        var then = run(branch.then, yes)
        var otherwise = run(branch.otherwise, no)
        let position = branch.position
        if deliversOrLeaves(then, than: yes) {
            blame(&otherwise, Blame(position: position, way: .whenFalse), within: no)
        }
        if deliversOrLeaves(otherwise, than: no) {
            blame(&then, Blame(position: position, way: .whenTrue), within: yes)
        }
        outcome.formUnion(then)
        outcome.formUnion(otherwise)
        return outcome
    }

    private mutating func run(_ cases: [Selection.Case], _ states: States) -> Outcome {
        var outcome = Outcome()
        var rest = states
        var falling = States()
        var results: [(Selection.Case, Outcome, States)] = []
        for item in cases {
            var (yes, no) = evaluate(item.condition, rest, &outcome)
            rest = no
            yes.formUnion(falling)
            var result = run(item.body, yes)
            falling = result.take { $0 == .fallthrough }
            results.append((item, result, yes))
        }
        let delivers = results.map { deliversOrLeaves($0.1, than: $0.2) }
        for index in results.indices {
            let isAlone = !delivers.indices.contains { $0 != index && delivers[$0] }
            var (item, result, entry) = results[index]
            if !isAlone { blame(&result, Blame(position: item.position, way: .case), within: entry) }
            outcome.formUnion(result)
        }
        outcome.normal.formUnion(outcome.take { $0 == .break(nil) })
        return outcome
    }

    private mutating func run(_ loop: Loop, _ states: States) -> Outcome {
        var outcome = Outcome()
        var ended = States()
        var delivers = false
        var hasCarriers = false
        var entry = states
        depth += 1
        defer { depth -= 1 }
        for turn in 0..<(depth > Self.twoTurnDepth ? 1 : 2) {
            var (yes, no) = evaluate(loop.condition, entry, &outcome)
            if turn == 0, let isEmpty = loop.isEmpty { (no, yes) = evaluate(.test(isEmpty), entry, &outcome) }
            if loop.kind == .atLeastOnce, turn == 0 {
                yes = entry
            } else if loop.kind != .endless {
                ended.formUnion(no)
            }
            if turn == 1 { yes = yes.map { $0.changed { $0.isLaterTurn = true } } }
            var result = run(loop.body, yes)
            delivers = delivers || result.exits.contains { $0.states.all.contains { !$0.isMissing } }
            hasCarriers = hasCarriers || result.normal.all.contains { $0.isDeliveredConditionally || $0.hasEscaped }
            outcome.normal.formUnion(result.take { $0 == .break(nil) || $0 == .break(loop.label) })
            result.normal.formUnion(result.take { $0 == .continue(nil) || $0 == .continue(loop.label) })
            outcome.add(exitsOf: result)
            entry = result.normal
        }
        if loop.kind != .endless {
            let (_, no) = evaluate(loop.condition, entry, &outcome)
            ended.formUnion(no)
        }
        if delivers || hasCarriers, states.all.contains(where: \.isMissing) {
            let blame = Blame(position: loop.position, way: .loopEnds)
            ended = ended.map {
                $0.changed {
                    guard $0.isMissing else { return }
                    $0.blame = blame
                    if hasCarriers { $0.excuses.insert(.emptyLoop) }
                }
            }
        }
        outcome.normal.formUnion(ended)
        return outcome
    }

    private mutating func run(_ attempt: Attempt, _ states: States) -> Outcome {
        var outcome = run(attempt.body, states)
        var rest = outcome.take { $0 == .throw }
        for (index, clause) in attempt.catches.enumerated() {
            let (yes, no) = evaluate(clause.condition, rest, &outcome)
            let isLast = index == attempt.catches.count - 1
            var result = run(clause.body, isLast && attempt.isExhaustive ? rest : yes)
            blame(&result, Blame(position: clause.position, way: .caught), within: rest)
            outcome.formUnion(result)
            rest = no
        }
        if attempt.catches.isEmpty || !attempt.isExhaustive {
            outcome.leave(Exit(kind: .throw, position: attempt.position), rest)
        }
        return outcome
    }

    private mutating func run(deferring body: Step, rest: Step, _ states: States) -> Outcome {
        let outcome = run(rest, states)
        var result = run(body, outcome.normal)
        for leaving in outcome.exits {
            let after = run(body, leaving.states)
            result.leave(leaving.exit, after.normal)
            result.add(exitsOf: after)
        }
        return result
    }

    private mutating func run(inline body: Step, decides: Bool, _ states: States) -> Outcome {
        var outcome = run(body, states)
        outcome.normal.formUnion(outcome.take { $0 == .return })
        let missing = outcome.normal.all.filter(\.isMissing).count
        if decides, missing > 0, missing < outcome.normal.all.count {
            outcome.normal = outcome.normal.map { $0.changed { $0.excuses.insert(.latch) } }
        }
        return outcome
    }

    private mutating func run(optionally drop: Drop, _ isNil: Fact?, _ body: Step, _ states: States) -> Outcome {
        var outcome = run(body, states)
        // Only where the call would have delivered does it matter that it was skipped.
        if deliversOrLeaves(outcome, than: states) {
            let skipping = states.filter { state in isNil.map { state.facts[$0] != false } ?? true }
            outcome.normal.formUnion(skipping.map { $0.changed { if $0.count == .none { $0.drop = drop } } })
        }
        return outcome
    }
}
