// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("What a channel does not deliver", .timeLimit(.minutes(10)))
struct UndeliveredTests {
    typealias World = UndeliveredWorld

    @Test func `of a task that was cancelled before`() async {
        let world = World()
        let task = Task { [channel = world.channel] in
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await channel.send(1)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(world.undelivered.all == [1])
    }

    /// Where there is room, a cancelled task sends.
    @Test func `not of a task that has room`() async throws {
        let world = World(.unbounded)
        let task = Task { [channel = world.channel] in
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await channel.send(1)
        }
        try await task.value
        #expect(world.channel.poll() == 1)
        #expect(world.undelivered.all == [])
    }

    /// What is possible at once happens; only a wait needs more.
    @Test func `in a cancelled task`() async throws {
        let world = World(.bounded(capacity: 1))
        let task = Task { [channel = world.channel] in
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await channel.send(1)
            await #expect(throws: CancellationError.self) { try await channel.send(2) }
            #expect(try await channel.receive() == 1)
            await #expect(throws: CancellationError.self) { try await channel.receive() }
        }
        try await task.value
        #expect(world.undelivered.all == [2])
    }

    @Test func `of a channel that has ended`() async {
        let world = World(.unbounded)
        world.channel.close()
        await #expect(throws: CoChannelError.closed) { try await world.channel.send(1) }
        #expect(world.undelivered.all == [1])
        // Who does not wait keeps it.
        #expect(!world.channel.offer(2))
        let promise = CoPromise<Int>()
        world.channel.sendFuture(promise)
        promise.success(3)
        #expect(world.undelivered.all == [1, 3])
    }

    @Test func `of a channel that goes away`() {
        var world: World? = World(.unbounded)
        let undelivered = world?.undelivered
        for number in 1...3 { world?.channel.offer(number) }
        #expect(undelivered?.all == [])
        world = nil
        #expect(undelivered?.all == [1, 2, 3])
    }

    @Test func `what is replaced`() {
        let world = World(.newest(capacity: 1))
        for number in 1...3 { world.channel.offer(number) }
        #expect(world.undelivered.all == [1, 2])
        world.channel.cancel()
        #expect(world.undelivered.all == [1, 2, 3])
    }

    /// No user code runs under the channel's lock.
    @Test func `may use the channel`() {
        let (holder, counts) = (Collected<CoChannel<Int>.Receiver>(), Collected<Int>())
        let channel = CoChannel<Int>(
            buffering: .newest(capacity: 1),
            onUndelivered: { _ in
                for receiver in holder.all { counts.append(receiver.count) }
            }
        )
        holder.append(channel.receiver)
        channel.offer(1)
        channel.offer(2)
        channel.cancel()
        #expect(counts.all == [1, 0])
        holder.removeAll()
    }
}
