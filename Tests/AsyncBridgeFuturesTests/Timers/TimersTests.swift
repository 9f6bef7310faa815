// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("Waits for a time", .timeLimit(.minutes(10)))
struct TimersTests {
    /// An alarm that never rings by itself.
    private final class SilentAlarm: Alarm {
        private let nanoseconds = Atomic(0)

        var now: Duration { .nanoseconds(self.nanoseconds.load(ordering: .relaxed)) }
        var process: UInt32 { 0 }

        func set(_ time: Duration) {}
        func leave() {}
        func advance(by count: Int) { self.nanoseconds.add(count, ordering: .relaxed) }
    }

    /// A waiter that waits for nothing but its parker, with room for the entry of a timer.
    @safe
    private final class TimedWaiter: _Parker, @unchecked Sendable {
        private let memory = WaiterMemory<TimerEntry>()
        private let wakes = Atomic(0)

        override init() {
            super.init()
            self.memory.enter(as: self)
        }

        deinit { self.memory.free() }

        var reference: WaiterReference { self.memory.waiter }
        var wakeCount: Int { self.wakes.load(ordering: .relaxed) }

        override func unpark() { self.wakes.add(1, ordering: .relaxed) }
    }

    @Test func `a waiter is woken at its time`() {
        let alarm = SilentAlarm()
        let timers = Timers(alarm)
        let waiter = TimedWaiter()
        #expect(waiter.begin())
        timers.add(waiter.reference, after: .nanoseconds(5000))
        #expect(waiter.park())
        alarm.advance(by: 4999)
        timers.ring()
        #expect(waiter.wakeCount == 0)
        alarm.advance(by: 1)
        timers.ring()
        #expect(waiter.wakeCount == 1)
        #expect(waiter.reference.outcome == .done)
        timers.remove(waiter.reference)
        #expect(timers.count == 0)
    }

    @Test func `a waiter that something else has woken is left alone`() {
        let alarm = SilentAlarm()
        let timers = Timers(alarm)
        let waiter = TimedWaiter()
        #expect(waiter.begin())
        timers.add(waiter.reference, after: .nanoseconds(5000))
        #expect(waiter.claim())
        alarm.advance(by: 5000)
        timers.ring()
        #expect(waiter.reference.outcome == .none)
        timers.remove(waiter.reference)
        #expect(timers.count == 0)
    }

    @Test func `a waiter may leave before its time`() {
        let timers = Timers(SilentAlarm())
        let waiter = TimedWaiter()
        #expect(waiter.begin())
        timers.add(waiter.reference, after: .nanoseconds(5000))
        #expect(timers.count == 1)
        timers.remove(waiter.reference)
        #expect(timers.count == 0)
    }

    /// Less than a clock can tell: no timer is set for it.
    @Test func `no time at all is over at once`() {
        let timers = Timers(SilentAlarm())
        let waiter = TimedWaiter()
        #expect(waiter.begin())
        timers.add(waiter.reference, after: .zero)
        #expect(waiter.reference.outcome == .done)
        #expect(timers.count == 0)
        // It goes on without having left its thread.
        #expect(!waiter.park())
        #expect(waiter.wakeCount == 0)
    }

    /// A short wait is not over before its time.
    @Test func `a short time is waited for`() {
        let alarm = SilentAlarm()
        let timers = Timers(alarm)
        let waiter = TimedWaiter()
        #expect(waiter.begin())
        timers.add(waiter.reference, after: .nanoseconds(1))
        #expect(timers.count == 1)
        alarm.advance(by: 1)
        timers.ring()
        #expect(waiter.reference.outcome == .done)
    }

    /// Of two times the earlier one comes, wherever it stands.
    @Test func `the earlier of two`() async throws {
        #expect(try await select(.after(.seconds(3600)) { 1 }, .after(.milliseconds(1)) { 2 }) == 2)
        #expect(try await select(.after(.milliseconds(1)) { 1 }, .after(.seconds(3600)) { 2 }) == 1)
        #expect(try await select(.after(.nanoseconds(1)) { 1 }, .after(.seconds(3600)) { 2 }) == 1)
    }

    @Test func `a cancelled task stops waiting`() async throws {
        let before = Timers.suspending.count
        let task = Task { try await Timers.suspending.sleep(for: .seconds(86_400)) }
        await until { Timers.suspending.count > before }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let short = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await Timers.suspending.sleep(for: .nanoseconds(1))
        }
        await #expect(throws: CancellationError.self) { try await short.value }
    }

    /// One branch in two selections at once: each has a sleeper of its own, and leaves none behind.
    @Test func `one branch with another clock in two selections`() async throws {
        let clock = TestClock()
        let channel = CoChannel<Int>()
        let log = EventLog()
        let shared = SharedBranch(branch: .after(.seconds(5), clock: clock) { -1 })
        let tasks = (0..<2).map { number in
            Task {
                let got = try await select([shared.branch, .receive(from: channel) { $0 }])
                log.record("\(number): \(got)")
                return got
            }
        }
        try await clock.sleepers(atLeast: 2)
        #expect(channel.offer(1))
        try await log.events(atLeast: 1)
        // The one that has received does not keep its sleeper, and takes none from the other.
        await until { clock.sleeperCount == 1 }
        clock.advance(by: .seconds(5))
        #expect(try await tasks[0].value + tasks[1].value == 0)
        await until { clock.sleeperCount == 0 }
    }
}

/// Safe: a branch holds nothing that changes.
private struct SharedBranch: @unchecked Sendable {
    let branch: SelectBranch<Int>
}
