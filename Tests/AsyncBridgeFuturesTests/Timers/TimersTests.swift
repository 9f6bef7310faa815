// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("Timers that all share", .timeLimit(.minutes(10)))
struct TimersTests {
    /// One task sleeps for a thousand who wait, and serves them in the order of their deadlines.
    @Test func `many with one sleeper`() async throws {
        let clock = TestClock()
        let timers = Timers(clock: clock)
        let waiters = (0..<1000).map { TimerStateMachineTests.waiter($0) }
        for waiter in waiters { timers.add(waiter.reference, after: .seconds(10 + waiter.name)) }
        try await clock.sleepers(atLeast: 1)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(10))
        await until { timers.count == 999 }
        #expect(waiters[0].outcome == .done)
        #expect(waiters[1].outcome == .none)
        // The next one.
        try await clock.sleepers(atLeast: 1)
        for waiter in waiters.dropFirst() { timers.remove(waiter.reference) }
        #expect(timers.count == 0)
        clock.advance(by: .seconds(2000))
        await until { clock.sleeperCount == 0 }
    }

    /// Deadlines that fall leave few tasks asleep, and the last waiter is still served.
    @Test func `falling deadlines leave few asleep`() async throws {
        let clock = TestClock()
        let timers = Timers(clock: clock)
        let kept = TimerStateMachineTests.waiter()
        timers.add(kept.reference, after: .seconds(2000))
        for number in 0..<100 {
            let waiter = TimerStateMachineTests.waiter()
            timers.add(waiter.reference, after: .seconds(1999 - number))
            timers.remove(waiter.reference)
        }
        await until { clock.sleeperCount == TimerStateMachine.sleeperLimit }
        // The sleepers that were kept have woken, and one more was started.
        await until {
            clock.advance(by: .seconds(100))
            return timers.count == 0
        }
        #expect(kept.outcome == .done)
        await until { clock.sleeperCount == 0 }
    }

    /// Of two times the earlier one comes, wherever it stands.
    @Test func `the earlier of two`() async throws {
        #expect(try await select(.after(.seconds(3600)) { 1 }, .after(.milliseconds(1)) { 2 }) == 2)
        #expect(try await select(.after(.milliseconds(1)) { 1 }, .after(.seconds(3600)) { 2 }) == 1)
    }
}
