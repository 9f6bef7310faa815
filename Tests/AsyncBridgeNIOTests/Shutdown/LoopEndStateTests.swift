// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeNIO
import Testing

/// Every event in every state, and every order, with no loop.
@Suite("LoopEndState", .timeLimit(.minutes(10)))
struct LoopEndStateTests {
    enum Event: Hashable {
        case join(Int)
        case leave(Int)
        case watch
        case beSilent
        case end
    }

    /// What has become of the waiters, as the caller of the machine sees it.
    struct World: ~Copyable {
        private var machine = LoopEndState<Int>()
        private var numbers: [Int: Int] = [:]
        private(set) var told: [Int: Int] = [:]
        private(set) var answered: Set<Int> = []
        private(set) var violations: [String] = []
        private var isSilent = false
        private var isOver = false

        mutating func happen(_ event: Event) {
            switch event {
            case .join(let waiter):
                switch self.machine.join(waiter) {
                case .wait(let number): self.numbers[waiter] = number
                case .none: if !self.isSilent { self.violations.append("\(waiter) was not kept") }
                case .tell: self.tell(waiter)
                }
            case .leave(let waiter): self.leave(waiter)
            case .watch: self.machine.watch()
            case .beSilent:
                _ = self.machine.beSilent()
                if !self.isOver { self.isSilent = true }
            case .end:
                for waiter in self.machine.end() { self.tell(waiter) }
                if !self.isSilent { self.isOver = true }
            }
            if self.machine.isOver != self.isOver { self.violations.append("over is \(self.machine.isOver)") }
        }

        private mutating func leave(_ waiter: Int) {
            guard let number = self.numbers.removeValue(forKey: waiter) else { return }
            switch self.machine.leave(number) {
            case .release(let released):
                if released != waiter { self.violations.append("\(released) left instead of \(waiter)") }
                self.answered.insert(waiter)
            case .untold:
                if !self.isSilent { self.violations.append("\(waiter) was forgotten") }
                self.answered.insert(waiter)
            case .told:
                if self.told[waiter] == nil { self.violations.append("\(waiter) was not told") }
            }
        }

        private mutating func tell(_ waiter: Int) {
            self.told[waiter, default: 0] += 1
            if self.answered.contains(waiter) { self.violations.append("\(waiter) was told after it had left") }
        }
    }

    /// All orders in which each waiter joins before it leaves.
    private static func orders(of events: [Event]) -> [[Event]] {
        guard !events.isEmpty else { return [[]] }
        return events.indices.flatMap { index -> [[Event]] in
            if case .leave(let waiter) = events[index], events.contains(.join(waiter)) { return [] }
            var rest = events
            let first = rest.remove(at: index)
            return Self.orders(of: rest).map { [first] + $0 }
        }
    }

    @Test(arguments: [[Event.watch, .end], [.beSilent, .end], [.end], [.end, .end]])
    func `every order: a waiter is told once, or leaves`(_ others: [Event]) {
        let events = others + [.join(1), .leave(1), .join(2), .leave(2), .join(3)]
        var count = 0
        for order in Self.orders(of: events) {
            // A loop is watched or silent before it ends.
            if let asked = order.firstIndex(where: { $0 == .watch || $0 == .beSilent }),
                let end = order.firstIndex(of: .end), end < asked
            {
                continue
            }
            count += 1
            var world = World()
            for event in order { world.happen(event) }
            let violations = world.violations
            #expect(violations.isEmpty, "\(order)")
            // The third never leaves: it is told, unless the loop is silent.
            let told = world.told
            #expect(told.values.allSatisfy { $0 == 1 }, "\(order)")
            #expect(told[3] == (others.contains(.beSilent) ? told[3] : 1), "\(order)")
            let answered = world.answered
            #expect(told[1] != nil || answered.contains(1) || others.contains(.beSilent), "\(order)")
        }
        #expect(count > 100)
    }

    @Test
    func `waiting`() {
        var machine = LoopEndState<String>()
        guard case .wait(let first) = machine.join("first"), case .wait(let second) = machine.join("second") else {
            Issue.record("not kept")
            return
        }
        machine.watch()
        guard case .release("first") = machine.leave(first), case .wait(let third) = machine.join("third") else {
            Issue.record("not released")
            return
        }
        // Its place is used again.
        #expect(third == first && second != first)
        let isOver = machine.isOver
        #expect(!isOver)
        let waiters = machine.end()
        #expect(waiters == ["third", "second"])
    }

    @Test
    func `over`() {
        var machine = LoopEndState<Int>()
        _ = machine.join(1)
        let waiters = machine.end()
        #expect(waiters == [1])
        machine.watch()
        let silenced = machine.beSilent()
        let again = machine.end()
        #expect(silenced.isEmpty && again.isEmpty)
        guard case .tell = machine.join(2) else {
            Issue.record("not told")
            return
        }
        let isOver = machine.isOver
        #expect(isOver)
    }

    @Test
    func `silent`() {
        var machine = LoopEndState<Int>()
        guard case .wait(let number) = machine.join(1) else {
            Issue.record("not kept")
            return
        }
        let waiters = machine.beSilent()
        #expect(waiters == [1])
        machine.watch()
        // What comes when the question is taken back.
        let told = machine.end()
        let again = machine.beSilent()
        #expect(told.isEmpty && again.isEmpty)
        guard case .untold = machine.leave(number), case .none = machine.join(2) else {
            Issue.record("kept")
            return
        }
        let isOver = machine.isOver
        #expect(!isOver)
    }
}
#endif
