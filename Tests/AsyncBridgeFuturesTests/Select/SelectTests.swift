// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("select in tasks", .timeLimit(.minutes(10)))
struct SelectTests {
    @Test func `takes what is there`() async throws {
        let (left, right) = (CoChannel<Int>(), CoChannel<Int>())
        right.offer(5)
        let taken = try await select(.receive(from: left) { ("left", $0) }, .receive(from: right) { ("right", $0) })
        #expect(taken == ("right", 5))
        #expect(right.isEmpty)
    }

    @Test func `waits for the first`() async throws {
        let (left, right) = (CoChannel<Int>(), CoChannel<Int>(buffering: .rendezvous))
        let taken = CoFuture { try await select(.receive(from: left) { $0 }, .receive(from: right) { $0 }) }
        try await right.send(7)
        #expect(try await taken.value == 7)
        #expect(left.offer(1))
        #expect(left.count == 1)
    }

    @Test func `sends and receives on one channel`() async throws {
        let channel = CoChannel<Int>(buffering: .rendezvous)
        let first = CoFuture { try await select(.send(1, to: channel) { 0 }, .receive(from: channel) { $0 }) }
        let second = CoFuture { try await select(.send(2, to: channel) { 0 }, .receive(from: channel) { $0 }) }
        let both = try await [first.value, second.value]
        #expect(both == [0, 1] || both == [2, 0])
    }

    @Test func `a default`() async throws {
        let channel = CoChannel<Int>()
        #expect(try await select(.receive(from: channel) { $0 }, .otherwise { -1 }) == -1)
        channel.offer(3)
        #expect(try await select(.receive(from: channel) { $0 }, .otherwise { -1 }) == 3)
    }

    @Test func `time and futures`() async throws {
        let clock = TestClock()
        let promise = CoPromise<Int>()
        let taken = CoFuture { [future = promise.future] in
            try await select(.value(of: future) { $0 }, .after(.seconds(1), clock: clock) { -1 })
        }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        #expect(try await taken.value == -1)
        promise.success(3)
        #expect(try await select(.value(of: promise) { $0 }, .after(.seconds(1), clock: clock) { -1 }) == 3)
    }

    @Test func cancelled() async throws {
        let channel = CoChannel<Int>()
        let task = Task { try await select(.receive(from: channel) { $0 }) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        channel.offer(1)
        #expect(channel.count == 1)
    }
}
