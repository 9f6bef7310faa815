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

    /// In a task that was cancelled before, nothing happens, not even what is possible at once.
    @Test func `in a cancelled task`() async throws {
        let (full, empty) = (CoChannel<Int>(), CoChannel<Int>())
        full.offer(1)
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await select(.receive(from: full) { $0 }, .receive(from: empty) { $0 }, .otherwise { 2 })
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(full.poll() == 1)
        #expect(!empty.hasReceivers)
    }

    /// A loop ends however fast elements come.
    @Test func `a loop in a task that is cancelled`() async {
        let (channel, other) = (CoChannel<Int>(), CoChannel<Int>())
        let bodies = Collected<Int>()
        let task = Task {
            channel.offer(0)
            while bodies.all.count < 10 {
                try await select(
                    .receive(from: channel) { element in
                        channel.offer(element + 1)
                        if element == 3 { withUnsafeCurrentTask { unsafe $0?.cancel() } }
                        bodies.append(element)
                    },
                    .receive(from: other) { _ in }
                )
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(bodies.all == [0, 1, 2, 3])
        #expect(channel.poll() == 4)
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

    /// The element comes to its end, and the receiver that could have had it gets nothing.
    @Test func `the element of a task that was cancelled before, which there is room for`() async throws {
        let world = UndeliveredWorld(.unbounded)
        let outbox = world.channel
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await select(.send(1, to: outbox) { 0 })
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(outbox.poll() == nil)
        #expect(world.undelivered.all == [1])
    }
}
