// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TestClockTests {
    let clock = TestClock()
    let executor = ManualExecutor()
    let log = EventLog()

    @Test func `stands still`() {
        #expect(self.clock.now == TestClock.Instant(offset: .zero))
        #expect(self.clock.minimumResolution == .zero)
        #expect(self.clock.sleeperCount == 0)
    }

    @Test func `advances by a duration and to a point`() {
        self.clock.advance(by: .seconds(2))
        #expect(self.clock.now.offset == .seconds(2))
        self.clock.advance(to: TestClock.Instant(offset: .seconds(5)))
        #expect(self.clock.now.offset == .seconds(5))
        // No way back.
        self.clock.advance(to: TestClock.Instant(offset: .seconds(1)))
        #expect(self.clock.now.offset == .seconds(5))
    }

    @Test func `wakes in order of deadline, not of sleep`() async throws {
        let (clock, executor, log) = (self.clock, self.executor, self.log)
        for seconds in [3, 1, 2, 1] {
            Task(executorPreference: executor) {
                try await clock.sleep(for: .seconds(seconds))
                log.record("\(seconds)")
            }
        }
        try await executor.jobs(atLeast: 4)
        executor.run()
        try await clock.sleepers(atLeast: 4)
        clock.advance(by: .seconds(3))
        #expect(clock.sleeperCount == 0)
        try await executor.jobs(atLeast: 4)
        executor.run()
        #expect(log.events == ["1", "1", "2", "3"])
    }

    @Test func `wakes nobody before the time`() async throws {
        let (clock, log) = (self.clock, self.log)
        let task = Task {
            try await clock.sleep(for: .seconds(2))
            log.record("awake")
        }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await task.value
        #expect(log.events == ["awake"])
    }

    @Test func `does not sleep when the time has passed`() async throws {
        self.clock.advance(by: .seconds(5))
        try await self.clock.sleep(until: TestClock.Instant(offset: .seconds(5)))
        try await self.clock.sleep(until: TestClock.Instant(offset: .seconds(1)))
    }

    @Test func `cancelled during the sleep`() async throws {
        let clock = self.clock
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        try await clock.sleepers(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `cancelled before the sleep`() async throws {
        let (clock, executor) = (self.clock, self.executor)
        let task = Task(executorPreference: executor) { try await clock.sleep(for: .seconds(1)) }
        try await executor.jobs(atLeast: 1)
        task.cancel()
        executor.run()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `sleeps again step by step`() async throws {
        let (clock, log) = (self.clock, self.log)
        let task = Task {
            for step in 1...3 {
                try await clock.sleep(for: .seconds(1))
                log.expect(step)
            }
        }
        for _ in 1...3 {
            try await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
        }
        try await task.value
        #expect(log.violations == [])
    }

    @Test func `instants compare and subtract`() {
        let (early, late) = (TestClock.Instant(offset: .seconds(1)), TestClock.Instant(offset: .seconds(3)))
        #expect(early < late)
        #expect(early.duration(to: late) == .seconds(2))
        #expect(early.advanced(by: .seconds(2)) == late)
    }
}
