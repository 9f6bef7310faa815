// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension Interpreter {
    /// The paths on which a condition is true, and those on which it is false.
    mutating func evaluate(
        _ condition: Condition,
        _ states: States,
        _ outcome: inout Outcome
    ) -> (yes: States, no: States) {
        switch condition {
        case .test(nil): return (states, states)
        case .test(let fact?): return split(states, by: fact)
        case .constant(let value): return value ? (states, States()) : (States(), states)
        case .not(let inner):
            let (yes, no) = evaluate(inner, states, &outcome)
            return (no, yes)
        case .all(let parts):
            var yes = states
            var no = States()
            for part in parts {
                let result = evaluate(part, yes, &outcome)
                yes = result.yes
                no.formUnion(result.no)
            }
            return (yes, no)
        case .any(let parts):
            var yes = States()
            var no = states
            for part in parts {
                let result = evaluate(part, no, &outcome)
                yes.formUnion(result.yes)
                no = result.no
            }
            return (yes, no)
        case .after(let step, let inner):
            let result = run(step, states)
            outcome.add(exitsOf: result)
            return evaluate(inner, result.normal, &outcome)
        case .present:
            return (
                states.filter { !$0.isVoid }.map { $0.changed { $0.isSeen = true } },
                states.map { $0.changed { $0.isVoid = true } }
            )
        case .latch(let inner):
            let (yes, no) = evaluate(inner, states, &outcome)
            let mark: (PathState) -> PathState = { $0.changed { $0.excuses.insert(.latch) } }
            return (yes.map(mark), no.map(mark))
        case .excused(let excuse, let inner):
            let (yes, no) = evaluate(inner, states, &outcome)
            return (yes, no.map { $0.changed { $0.excuses.insert(excuse) } })
        case .unless(let drop, let inner):
            let (yes, no) = evaluate(inner, states, &outcome)
            return (yes, no.map { $0.changed { if $0.count == .none { $0.drop = drop } } })
        }
    }

    private func split(_ states: States, by fact: Fact) -> (yes: States, no: States) {
        guard facts.isWorthKnowing(fact) else { return (states, states) }
        var yes = States()
        var no = States()
        let rivals = facts.rivals(of: fact)
        for state in states.all {
            let isRivalTrue = rivals.contains { $0 != fact && state.facts[$0] == true }
            let isOtherFalse = facts.counterpart(of: fact).map { state.facts[$0] == false } == true
            let known = state.facts[fact] ?? (isRivalTrue ? false : isOtherFalse ? true : nil)
            if known != false { yes.insert(state.changed { $0.facts[fact] = true }) }
            if known != true { no.insert(state.changed { $0.facts[fact] = false }) }
        }
        return (yes, no)
    }
}
