// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct LifetimeTrackerTests {
    let tracker = LifetimeTracker()

    @Test func `counts what is alive`() {
        var first: LifetimeTracker.Token? = self.tracker.token("first")
        let second = self.tracker.token("second")
        #expect(self.tracker.alive == 2)
        #expect(self.tracker.aliveLabels == ["first", "second"])
        #expect(first?.label == "first")
        first = nil
        #expect(self.tracker.aliveLabels == ["second"])
        #expect(self.tracker.made == 2)
        withExtendedLifetime(second) {}
    }

    @Test func `a tracked value lives as long as any copy`() {
        var copies = [self.tracker.track(7)]
        copies.append(copies[0])
        #expect(copies.map(\.value) == [7, 7])
        copies.removeLast()
        #expect(self.tracker.alive == 1)
        copies = []
        #expect(self.tracker.alive == 0)
    }

    @Test func `waits for the last`() async throws {
        let (tracker, executor) = (self.tracker, ManualExecutor())
        var tokens = (0..<3).map { tracker.token("\($0)") }
        let task = Task(executorPreference: executor) { try await tracker.allReleased() }
        try await executor.jobs(atLeast: 1)
        // Waits now.
        executor.run()
        // An optimiser may otherwise release early what nobody looks at again.
        withExtendedLifetime(tokens) {}
        tokens.removeAll()
        try await executor.jobs(atLeast: 1)
        executor.run()
        try await task.value
    }

    @Test func `nothing to wait for`() async throws { try await self.tracker.allReleased() }

    @Test func `wait is cancelled`() async {
        let tracker = self.tracker
        let token = tracker.token()
        let task = Task { try await tracker.allReleased() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        withExtendedLifetime(token) {}
    }
}
