// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension Interpreter {
    // MARK: Deliveries

    mutating func deliver(_ delivery: Delivery, _ states: States) -> States {
        trace.isUsed = true
        var result = States()
        for var state in states.all {
            defer { result.insert(state) }
            guard !state.isVoid else { continue }
            if !state.locks.isEmpty, delivery.manner == .call {
                let underLock = Trace.UnderLock(delivery: delivery, isOnlyQueue: !state.locks.contains(.mutex))
                if !trace.underLock.contains(underLock) { trace.underLock.append(underLock) }
            }
            switch state.count {
            case .none:
                state.count = .once(delivery)
                state.drop = nil
                state.blame = nil
            case .once(let first):
                if state.excuses.contains(.latch) { continue }
                if delivery.isHalf, first.manner == .call, !first.isConditional, !state.hasEscaped {
                    // Whichever of the two is called, it has been delivered before.
                    state.count = .twice(first: first)
                    record(Trace.Double(first: first, second: delivery, isInLoop: state.isLaterTurn))
                } else if first.isConditional || delivery.isConditional {
                    if first.isPlainCall, !state.hasEscaped, !delivery.isGuarded {
                        record(Trace.Double(first: first, second: delivery, isInLoop: state.isLaterTurn))
                    }
                    state.count = .raced
                } else if state.hasEscaped, delivery.manner != .call || first.manner != .call {
                    state.count = .raced
                } else {
                    state.count = .twice(first: first)
                    let double = Trace.Double(first: first, second: delivery, isInLoop: state.isLaterTurn)
                    record(double)
                }
            case .twice, .raced: break
            }
        }
        return result
    }

    /// The token goes to somebody who delivers it.
    mutating func hand(_ delivery: Delivery, _ states: States) -> States {
        (trace.isUsed, trace.isHandedOn) = (true, true)
        for state in states.all where !state.isVoid && !state.hasEscaped && !state.excuses.contains(.latch) {
            guard case .once(let first) = state.count, first.isPlainCall else { continue }
            record(Trace.Double(first: first, second: delivery, isInLoop: state.isLaterTurn))
        }
        return states.map { $0.changed { $0.hasEscaped = true } }
    }

    /// Keeps a few first deliveries for each second one: a report names one of them.
    private mutating func record(_ double: Trace.Double) {
        guard doublesAt[double.second.position, default: []].count < 4 else { return }
        if doublesAt[double.second.position, default: []].insert(double).inserted { trace.doubles.append(double) }
    }

    mutating func run(_ carrier: Carrier, _ states: States) -> States {
        let inner = innerTrace(of: carrier)
        guard carrier.kind != .derived else { return states }
        trace.isUsed = trace.isUsed || inner.isUsed
        let isAgain = states.all.contains { state in
            guard state.isLaterTurn, case .once(let delivery) = state.count else { return false }
            return delivery.position == carrier.position
        }
        if isAgain { trace.repeated.insert(carrier.position) }
        switch (carrier.kind, inner.frequency) {
        case (_, .never): return states
        case (.later, .always), (.later, .sometimes), (.likely, .always), (.likely, .sometimes):
            let isConditional = inner.frequency == .sometimes || carrier.hasRivals || carrier.isAssigned
            let manner: Delivery.Manner = carrier.kind == .later ? .deferred : .likely
            var delivery = Delivery(position: carrier.position, manner: manner, isConditional: isConditional)
            delivery.isHalf = carrier.isHalf && inner.frequency == .always
            delivery.isGuarded = inner.deliversByAFlag
            return deliver(delivery, states)
        case (.many, _), (.unknown, _), (.derived, _), (_, .unknown):
            if !carrier.isPartOfAnObject { trace.isHandedOn = true }
            // What becomes part of a button is there for an answer that may never come.
            if !carrier.isPartOfAnObject, inner.frequency != .unknown, !inner.deliversByAFlag {
                return hand(Delivery(position: carrier.position, manner: .handed), states)
            }
            return states.map { $0.changed { $0.hasEscaped = true } }
        }
    }

    /// What a closure's paths do, which is the same whatever happened before it was made.
    private mutating func innerTrace(of carrier: Carrier) -> Trace {
        if let index = innerIndex[carrier.position] { return trace.inner[index].trace }
        let inner = carrier.trace ?? Interpreter.trace(carrier.body, end: carrier.end, facts: facts)
        innerIndex[carrier.position] = trace.inner.count
        trace.inner.append(Trace.Inner(carrier: carrier, trace: inner))
        return inner
    }

    mutating func store(_ kind: Trace.Store.Kind, _ position: Int, _ states: States) -> States {
        let lost = states.all.contains { $0.isMissing && !$0.excuses.contains(.sibling) }
        let change = Trace.Store(kind: kind, position: position)
        if lost, !trace.stores.contains(change) { trace.stores.append(change) }
        return states.map {
            $0.changed {
                $0.count = .none
                $0.hasEscaped = false
                $0.isVoid = kind == .dropped
            }
        }
    }

    // MARK: Blame

    /// Whether paths without delivery become fewer in it: they deliver, or leave.
    func deliversOrLeaves(_ outcome: Outcome, than entry: States) -> Bool {
        guard entry.all.contains(where: \.isMissing) else { return false }
        return !outcome.normal.all.contains(where: \.isMissing)
    }

    func blame(_ outcome: inout Outcome, _ blame: Blame, within entry: States) {
        let before = Set(entry.all.map(\.blame))
        let mark: (PathState) -> PathState = {
            $0.changed { if $0.isMissing, before.contains($0.blame) { $0.blame = blame } }
        }
        outcome.normal = outcome.normal.map(mark)
        for index in outcome.exits.indices where outcome.exits[index].exit.kind.isJump {
            outcome.exits[index].states = outcome.exits[index].states.map(mark)
        }
    }
}

extension Exit.Kind {
    /// Whether the code goes on elsewhere in the scope.
    fileprivate var isJump: Bool {
        switch self {
        case .break, .continue, .fallthrough: true
        case .return, .throw: false
        }
    }
}

extension PathState {
    func changed(_ change: (inout PathState) -> Void) -> PathState {
        var copy = self
        change(&copy)
        return copy
    }
}
