// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// One step of a call in a queue.
private enum CallStep: Hashable {
    /// It is made, and gets its number.
    case enter(Int)
    /// Its task waits for the turn.
    case wait(Int)
    /// It is cancelled, at any time after it was made.
    case cancel(Int)
    /// Its completion has returned.
    case end(Int)
}

/// What has become of a number of calls after some steps, and which steps may be next.
///
/// The machine cannot be copied, so each world takes all its steps anew.
private struct CallWorld {
    private(set) var violations: [String] = []
    /// The calls that have the turn, or had it, in the order in which they got it.
    private(set) var started: [Int] = []
    private(set) var next: [CallStep] = []

    init(calls: Int, steps: [CallStep]) {
        var machine = CallQueueStateMachine<Int>()
        var numbers: [Int: UInt64] = [:]
        var told: [Int: [String]] = [:]
        var ended: Set<Int> = []
        for step in steps {
            switch step {
            case .enter(let call):
                numbers[call] = machine.enter()
            case .wait(let call):
                switch machine.wait(call, of: numbers[call] ?? 0) {
                case .start(let waiter): told[waiter, default: []].append("start")
                case .cancel(let waiter): told[waiter, default: []].append("cancel")
                case .keep: continue
                }
            case .cancel(let call):
                switch machine.cancel(numbers[call] ?? 0) {
                case .cancel(let waiter): told[waiter, default: []].append("cancel")
                case .ignore: continue
                }
            case .end(let call):
                ended.insert(call)
                switch machine.end(numbers[call] ?? 0) {
                case .start(let waiter): told[waiter, default: []].append("start")
                case .ignore: continue
                }
            }
        }
        self.check(told, ended, steps)
        self.next = (0..<calls).flatMap { call -> [CallStep] in
            guard steps.contains(.enter(call)) else {
                // The calls are made in their order.
                return call == 0 || steps.contains(.enter(call - 1)) ? [.enter(call)] : []
            }
            var next: [CallStep] = []
            if !steps.contains(.wait(call)) { next.append(.wait(call)) }
            if !steps.contains(.cancel(call)) { next.append(.cancel(call)) }
            if told[call] != nil, !ended.contains(call) { next.append(.end(call)) }
            return next
        }
        guard self.next.isEmpty || (self.next.allSatisfy { $0.isCancellation }) else { return }
        if ended.count < calls { self.violations.append("a call waits for ever: \(steps)") }
        if !machine.isFree { self.violations.append("the queue is not free: \(steps)") }
    }

    private mutating func check(_ told: [Int: [String]], _ ended: Set<Int>, _ steps: [CallStep]) {
        for (call, words) in told where words.count > 1 {
            self.violations.append("call \(call) was told \(words): \(steps)")
        }
        let started = told.filter { $0.value == ["start"] }.keys.sorted()
        let running = started.filter { !ended.contains($0) }
        if running.count > 1 { self.violations.append("\(running) run at once: \(steps)") }
        // Those before the one that started last have ended, or were cancelled.
        for call in 0..<(started.last ?? 0) where !ended.contains(call) && !steps.contains(.cancel(call)) {
            self.violations.append("call \(call) was passed: \(steps)")
        }
        for call in told.keys where told[call] == ["cancel"] && !steps.contains(.cancel(call)) {
            self.violations.append("call \(call) was not cancelled: \(steps)")
        }
    }
}

extension CallStep {
    fileprivate var isCancellation: Bool {
        switch self {
        case .cancel: true
        case .enter, .wait, .end: false
        }
    }
}

@Suite("CallQueueStateMachine: every order of the steps of all calls", .timeLimit(.minutes(60)))
struct CallQueueOrderTests {
    /// All orders of the steps of some calls, and what was wrong in them.
    private func explore(calls: Int, cancelled: Set<Int>) -> (orders: Int, violations: [String]) {
        var (orders, violations) = (0, [String]())
        func explore(after steps: [CallStep]) {
            let world = CallWorld(calls: calls, steps: steps)
            violations += world.violations
            let next = world.next.filter { step in
                if case .cancel(let call) = step { cancelled.contains(call) } else { true }
            }
            if next.isEmpty { orders += 1 }
            guard violations.isEmpty else { return }
            for step in next { explore(after: steps + [step]) }
        }
        explore(after: [])
        return (orders, violations)
    }

    /// Not all three: each cancellation makes the orders seven times as many.
    @Test(arguments: [[], [0], [1], [2], [0, 1], [0, 2], [1, 2]] as [Set<Int>])
    func `one call at a time starts, in order, and each is told once`(cancelled: Set<Int>) {
        let (orders, violations) = self.explore(calls: 3, cancelled: cancelled)
        #expect(violations.isEmpty, "\(violations.prefix(3))")
        #expect(orders > 10)
    }

    @Test func `both of two calls may be cancelled`() {
        let (orders, violations) = self.explore(calls: 2, cancelled: [0, 1])
        #expect(violations.isEmpty, "\(violations.prefix(3))")
        #expect(orders > 10)
    }
}
