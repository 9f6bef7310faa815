// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation
import Testing

@Suite("Run loops", .timeLimit(.minutes(10)))
final class RunLoopTests: Sendable {
    private struct Failure: Error {}

    private let thread = LoopThread()

    deinit { self.thread.stop() }

    @Test func `run wakes the loop, and returns what the closure returns`() async throws {
        let thread = self.thread
        #expect(try await thread.loop.run(inModes: [.default]) { RunLoop.current === thread.loop })
    }

    @Test func `run throws what the closure throws`() async {
        await #expect(throws: Failure.self) {
            try await self.thread.loop.run(inModes: [.default]) { throw Failure() }
        }
    }

    @Test func `run: cancelled, ends at once`() async throws {
        let gate = Gate()
        let hasBegun = Watched(false)
        let thread = self.thread
        let task = Task {
            try await thread.loop.run(inModes: [.default]) {
                hasBegun.change { $0 = true }
                gate.wait()
            }
        }
        await hasBegun.wait { $0 }
        let second = Task { try await thread.loop.run(inModes: [.default]) { Issue.record("It was cancelled") } }
        task.cancel()
        second.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.open()
        try await thread.loop.run(inModes: [.default]) {}
    }

    @Test func ticks() async throws {
        var count = 0
        for try await _ in try await self.thread.ticks(every: 0.001) {
            count += 1
            if count == 3 { break }
        }
        #expect(count == 3)
    }

    @Test(arguments: [0, -1, 1e-300, -.infinity, .nan])
    func `ticks, of a tiny interval`(_ interval: TimeInterval) async throws {
        for try await _ in try await self.thread.ticks(every: interval) { break }
    }

    @Test func `ticks: for which nobody has time, are left out`() async throws {
        let ticks = try await self.thread.ticks(every: 0.001)
        var iterator = ticks.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        // Several more are due by then, and at most one waits.
        let now = try await self.thread.runUntil(first + 0.01)
        _ = try await iterator.next()
        let third = try #require(try await iterator.next())
        #expect(third >= now)
    }
}
