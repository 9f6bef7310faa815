// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("The decisions about timers")
struct TimerStateMachineTests {
    /// A waiter that has begun to wait.
    static func waiter(_ name: Int = 0) -> HandMadeWaiter {
        let waiter = HandMadeWaiter.kept(name)
        #expect(waiter.begin())
        return waiter
    }

    static func names(_ waiting: [ParkerReference]) -> [Int] { waiting.map { $0.handMade.name } }

    @Test func `the first starts a sleeper`() {
        var machine = TimerStateMachine()
        let waiter = Self.waiter(1)
        #expect(machine.add(waiter.reference, at: .seconds(5)) == .seconds(5))
        #expect(machine.count == 1)
        let waking = machine.wake(.seconds(5), now: .seconds(5))
        #expect(Self.names(waking.waiting) == [1])
        #expect(waking.sleeper == nil)
        #expect(waiter.outcome == .done)
        #expect(machine.count == 0)
    }

    @Test func `a later one starts none`() {
        var machine = TimerStateMachine()
        let waiters = (0..<3).map { Self.waiter($0) }
        #expect(machine.add(waiters[0].reference, at: .seconds(5)) == .seconds(5))
        #expect(machine.add(waiters[1].reference, at: .seconds(5)) == nil)
        #expect(machine.add(waiters[2].reference, at: .seconds(9)) == nil)
        let first = machine.wake(.seconds(5), now: .seconds(6))
        #expect(Self.names(first.waiting).sorted() == [0, 1])
        #expect(first.sleeper == .seconds(9))
        let second = machine.wake(.seconds(9), now: .seconds(9))
        #expect(Self.names(second.waiting) == [2])
        #expect(second.sleeper == nil)
    }

    @Test func `an earlier one starts one more`() {
        var machine = TimerStateMachine()
        let (late, early) = (Self.waiter(1), Self.waiter(2))
        #expect(machine.add(late.reference, at: .seconds(9)) == .seconds(9))
        #expect(machine.add(early.reference, at: .seconds(5)) == .seconds(5))
        let first = machine.wake(.seconds(5), now: .seconds(5))
        #expect(Self.names(first.waiting) == [2])
        // The one that was started first still sleeps, and is early enough.
        #expect(first.sleeper == nil)
        let second = machine.wake(.seconds(9), now: .seconds(9))
        #expect(Self.names(second.waiting) == [1])
    }

    /// Waits that end before their time cost no sleeper each.
    @Test func `one sleeper for waits that end early`() {
        var machine = TimerStateMachine()
        var started = 0
        for number in 0..<1000 {
            let waiter = Self.waiter()
            if machine.add(waiter.reference, at: .seconds(10) + .milliseconds(number)) != nil { started += 1 }
            machine.remove(waiter.reference)
        }
        #expect(started == 1)
        #expect(machine.count == 0)
        let waking = machine.wake(.seconds(10), now: .seconds(10))
        #expect(waking.waiting.isEmpty)
        #expect(waking.sleeper == nil)
    }

    /// Deadlines that fall start a sleeper each, but few sleep at a time.
    @Test func `falling deadlines stop the oldest sleepers`() {
        var machine = TimerStateMachine()
        var sleeping: [Duration] = []
        let kept = Self.waiter(1)
        sleeping.append(machine.add(kept.reference, at: .seconds(2000)) ?? .zero)
        for number in 0..<1000 {
            let waiter = Self.waiter()
            if let sleeper = machine.add(waiter.reference, at: .seconds(1999 - number)) { sleeping.append(sleeper) }
            if let excess = machine.excessSleeper() {
                #expect(excess == sleeping.first)
                let isKept = machine.hasSleeper(excess)
                #expect(!isKept)
                sleeping.removeFirst()
                // It wakes at once, because its task was cancelled.
                let waking = machine.wake(excess, now: .zero)
                #expect(waking.waiting.isEmpty && waking.sleeper == nil)
            }
            machine.remove(waiter.reference)
            #expect(sleeping.count <= TimerStateMachine.sleeperLimit)
        }
        #expect(sleeping.count == TimerStateMachine.sleeperLimit)
        // The last one to wake starts the one that the waiter needs.
        let started = sleeping.reversed().compactMap { machine.wake($0, now: $0).sleeper }
        #expect(started == [.seconds(2000)])
        #expect(Self.names(machine.wake(.seconds(2000), now: .seconds(2000)).waiting) == [1])
    }

    @Test func `a sleeper that wakes too early sleeps on`() {
        var machine = TimerStateMachine()
        let waiter = Self.waiter(1)
        #expect(machine.add(waiter.reference, at: .seconds(5)) == .seconds(5))
        let early = machine.wake(.seconds(5), now: .seconds(5) - .nanoseconds(1))
        #expect(early.waiting.isEmpty)
        #expect(early.sleeper == .seconds(5))
        #expect(Self.names(machine.wake(.seconds(5), now: .seconds(5)).waiting) == [1])
    }

    /// Two sleepers may wake in the other order.
    @Test func `sleepers that wake out of order`() {
        var machine = TimerStateMachine()
        let (late, early) = (Self.waiter(1), Self.waiter(2))
        #expect(machine.add(late.reference, at: .seconds(9)) == .seconds(9))
        #expect(machine.add(early.reference, at: .seconds(8)) == .seconds(8))
        let first = machine.wake(.seconds(9), now: .seconds(9))
        #expect(Self.names(first.waiting) == [2, 1])
        let second = machine.wake(.seconds(8), now: .seconds(9))
        #expect(second.waiting.isEmpty)
        #expect(second.sleeper == nil)
    }

    /// One that somebody else has claimed, or that was cancelled, is taken out and left alone.
    @Test(arguments: [true, false])
    func `one that is claimed already`(cancelled: Bool) {
        var machine = TimerStateMachine()
        let waiter = Self.waiter(1)
        #expect(machine.add(waiter.reference, at: .seconds(5)) == .seconds(5))
        if cancelled { _ = waiter.noteCancellation() } else { #expect(waiter.claim()) }
        #expect(machine.wake(.seconds(5), now: .seconds(5)).waiting.isEmpty)
        #expect(waiter.outcome == .none)
        #expect(machine.count == 0)
        // It takes itself out, as it always does.
        machine.remove(waiter.reference)
        #expect(machine.count == 0)
    }

    /// The heap against a list, with waiters that leave from the middle.
    @Test(arguments: 0..<20)
    func `as a list`(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        var heap = TimerHeap()
        var model: [(deadline: Duration, waiter: HandMadeWaiter)] = []
        for step in 0..<400 {
            switch random.next() % 4 {
            case 0, 1:
                let deadline = Duration.seconds(Int64(random.next() % 50))
                let waiter = Self.waiter(step)
                heap.insert(waiter.reference, at: deadline)
                model.append((deadline, waiter))
            case 2 where !model.isEmpty:
                let index = Int(random.next() % UInt64(model.count))
                let waiter = model.remove(at: index).waiter
                heap.remove(waiter.reference)
                // Once more does nothing.
                heap.remove(waiter.reference)
            default:
                let now = Duration.seconds(Int64(random.next() % 50))
                let due = heap.removeFirst(dueAt: now)?.parker.handMade
                let first = model.map(\.deadline).min()
                if let first, first <= now {
                    let index = model.firstIndex { $0.waiter === due }
                    #expect(index.map { model[$0].deadline } == first)
                    if let index { model.remove(at: index) }
                } else {
                    #expect(due == nil)
                }
            }
            #expect(heap.count == model.count)
            #expect(heap.first == model.map(\.deadline).min())
        }
    }
}
