// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventLogTests {
    let log = EventLog()

    @Test func `steps in order are no violation`() {
        self.log.expect(1)
        self.log.record("between")
        self.log.expect(2)
        self.log.finish(3)
        #expect(self.log.finished() == [])
        #expect(self.log.events == ["1", "between", "2", "3"])
    }

    @Test func `a step out of order is named once`() throws {
        self.log.expect(1)
        self.log.expect(3)
        self.log.expect(4)
        try #require(self.log.violations.count == 1)
        #expect(self.log.violations[0].contains("step 3 at AsyncBridgeTestingTests/EventLogTests.swift"))
        #expect(self.log.violations[0].contains("the turn of step 2"))
    }

    @Test func `a step that comes twice is a violation`() {
        self.log.expect(1)
        self.log.expect(1)
        #expect(self.log.violations.count == 1)
    }

    @Test func `a step after the last is a violation`() {
        self.log.finish(1)
        self.log.expect(2)
        #expect(self.log.violations.count == 1)
    }

    @Test func `a missing last step is a violation at the end only`() {
        self.log.expect(1)
        #expect(self.log.violations == [])
        #expect(self.log.finished() == ["step 2 or a later one never came"])
    }

    @Test func `a place that must not be reached is a violation`() {
        self.log.unreached()
        #expect(self.log.violations.count == 1)
    }

    @Test func `waits for events`() async throws {
        let log = self.log
        let task = Task { try await log.events(atLeast: 2) }
        log.record("a")
        log.record("b")
        try await task.value
        // They are there: no wait.
        try await log.events(atLeast: 2)
    }

    @Test func `wait is cancelled`() async {
        let log = self.log
        let task = Task { try await log.events(atLeast: 1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
