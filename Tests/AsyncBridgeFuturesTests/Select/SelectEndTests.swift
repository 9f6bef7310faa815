// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("select in tasks: ends and defaults", .timeLimit(.minutes(10)))
struct SelectEndTests {
    @Test func `no time at all`() async throws {
        let clock = TestClock()
        #expect(try await select(.after(.zero, clock: clock) { 1 }) == 1)
        #expect(try await select(.after(.seconds(-1), clock: clock) { 1 }, .otherwise { 2 }) == 1)
        #expect(try await select(.after(.seconds(1), clock: clock) { 1 }, .otherwise { 2 }) == 2)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `without branches`() async {
        await #expect(processExitsWith: .failure) { _ = try await select([SelectBranch<Int>]()) }
    }

    /// In a task that was cancelled before, what is possible at once happens.
    @Test func `in a cancelled task`() async throws {
        let (full, empty) = (CoChannel<Int>(), CoChannel<Int>())
        full.offer(1)
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await select(.receive(from: full) { $0 }, .receive(from: empty) { $0 })
        }
        #expect(try await task.value == 1)
        let second = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await select(.receive(from: full) { $0 }, .receive(from: empty) { $0 })
        }
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(!empty.hasReceivers)
    }

    @Test func `the element of a task that was cancelled before`() async throws {
        let world = UndeliveredWorld(.rendezvous)
        let (outbox, other) = (world.channel, CoChannel<Int>(buffering: .rendezvous))
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await select(.send(1, to: outbox) { 0 }, .receive(from: other) { $0 })
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(world.undelivered.all == [1])
    }
}
