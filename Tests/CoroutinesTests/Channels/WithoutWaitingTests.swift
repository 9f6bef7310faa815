// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Coroutines
import Testing

/// What is possible at once happens, wherever and however cancelled the code is; only a wait needs more.
@Suite("Sending and receiving without a wait", .timeLimit(.minutes(10)))
struct WithoutWaitingTests {
    typealias World = UndeliveredWorld

    // MARK: Outside a coroutine

    @Test func `outside a coroutine`() throws {
        let world = World(.bounded(capacity: 1))
        try world.channel.awaitSend(1)
        #expect(throws: CoroutineError.outsideCoroutine) { try world.channel.awaitSend(2) }
        #expect(world.undelivered.all == [2])
        #expect(try world.channel.awaitReceive() == 1)
        #expect(throws: CoroutineError.outsideCoroutine) { try world.channel.awaitReceive() }
    }

    @Test func `outside a coroutine with halves`() throws {
        let (receiver, sender) = CoChannel<Int>(buffering: .bounded(capacity: 1)).pair
        let mapped = receiver.map { $0 * 10 }
        try sender.awaitSend(1)
        #expect(try receiver.awaitReceive() == 1)
        try sender.awaitSend(2)
        #expect(try mapped.awaitReceive() == 20)
        #expect(throws: CoroutineError.outsideCoroutine) { try receiver.awaitReceive() }
        #expect(throws: CoroutineError.outsideCoroutine) { try mapped.awaitReceive() }
    }

    @Test func `outside a coroutine with those who wait`() throws {
        let channel = CoChannel<Int>(buffering: .rendezvous)
        let received = channel.receiveFuture()
        try channel.awaitSend(1)
        #expect(try received.result?.get() == 1)
        channel.sendFuture(CoFuture(result: .success(2)))
        #expect(try channel.awaitReceive() == 2)
    }

    @Test func `outside a coroutine at the end`() throws {
        let world = World(.unbounded)
        world.channel.offer(1)
        world.channel.close()
        #expect(throws: CoChannelError.closed) { try world.channel.awaitSend(2) }
        #expect(world.undelivered.all == [2])
        #expect(try world.channel.awaitReceive() == 1)
        #expect(throws: CoChannelError.closed) { try world.channel.awaitReceive() }
        world.channel.cancel()
        #expect(throws: CancellationError.self) { try world.channel.awaitReceive() }
    }

    // MARK: Cancelled

    /// Calls a closure in a coroutine that was cancelled while it runs.
    private static func inCancelledCoroutine(_ body: @escaping @Sendable () throws -> Void) {
        let scheduler = ManualScheduler()
        let handle = Collected<CoroutineHandle>()
        let errors = Collected<String>()
        handle.append(
            scheduler.startCoroutine {
                for coroutine in handle.all { coroutine.cancel() }
                do { try body() } catch { errors.append("\(error)") }
            }
        )
        scheduler.run()
        #expect(errors.all == [])
        #expect(scheduler.count == 0)
    }

    @Test func `in a cancelled coroutine`() {
        let world = World(.bounded(capacity: 1))
        Self.inCancelledCoroutine { [channel = world.channel] in
            try channel.awaitSend(1)
            #expect(throws: CancellationError.self) { try channel.awaitSend(2) }
            #expect(try channel.awaitReceive() == 1)
            #expect(throws: CancellationError.self) { try channel.awaitReceive() }
            channel.offer(3)
            #expect(Array(channel.makeIterator()) == [], "a loop ends")
            #expect(try channel.awaitReceive() == 3, "it stays there")
        }
        #expect(world.undelivered.all == [2])
    }

    @Test func `in a coroutine of a cancelled task`() async throws {
        let world = World(.bounded(capacity: 1))
        let task = Task { [channel = world.channel] in
            try await withCoroutine {
                withUnsafeCurrentTask { unsafe $0?.cancel() }
                try channel.awaitSend(1)
                #expect(throws: CancellationError.self) { try channel.awaitSend(2) }
                #expect(try channel.awaitReceive() == 1)
                #expect(throws: CancellationError.self) { try channel.awaitReceive() }
            }
        }
        try await task.value
        #expect(world.undelivered.all == [2])
    }

    /// A coroutine whose step was dropped is unwound: it no longer waits.
    @Test func `in a coroutine that is unwound`() {
        let world = World(.bounded(capacity: 1))
        let scheduler = ManualScheduler()
        let events = Collected<String>()
        let promise = CoPromise<Void>()
        scheduler.startCoroutine { [channel = world.channel] in
            defer {
                do {
                    try channel.awaitSend(1)
                    events.append("sent")
                    try channel.awaitSend(2)
                } catch { events.append("\(type(of: error))") }
                do {
                    events.append("\(try channel.awaitReceive())")
                    _ = try channel.awaitReceive()
                } catch { events.append("\(type(of: error))") }
            }
            try promise.await()
        }
        scheduler.run()
        promise.success(())
        scheduler.dropOne()
        #expect(events.all == ["sent", "CancellationError", "1", "CancellationError"])
        #expect(world.undelivered.all == [2])
    }

    /// The element came, and the step that was to take it is dropped.
    @Test func `of a coroutine that is unwound meanwhile`() {
        let world = World(.rendezvous)
        let scheduler = ManualScheduler()
        let errors = Collected<String>()
        scheduler.startCoroutine { [channel = world.channel] in
            do { _ = try channel.awaitReceive() } catch { errors.append("\(type(of: error))") }
        }
        scheduler.run()
        world.channel.offer(1)
        scheduler.dropOne()
        #expect(errors.all == ["CancellationError"])
        #expect(world.undelivered.all == [1])
    }
}
