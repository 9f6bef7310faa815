// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Dispatch
import Synchronization
import Testing

@testable import AsyncBridgeFutures
@testable import Coroutines

@Suite("Channels between coroutines and tasks")
struct ChannelTests {
    static let bufferTypes: [CoChannel<Int>.BufferType] = [
        .none, .buffered(capacity: 1), .buffered(capacity: 8), .unlimited,
    ]

    @Test(arguments: bufferTypes)
    func betweenTasks(type: CoChannel<Int>.BufferType) async throws {
        let channel = CoChannel<Int>(bufferType: type)
        let sender = Task {
            for number in 0..<1000 { try await channel.send(number) }
            channel.close()
        }
        var received: [Int] = []
        for try await number in channel { received.append(number) }
        #expect(received == Array(0..<1000))
        try await sender.value
    }

    @Test(arguments: bufferTypes)
    func fromCoroutineToTask(type: CoChannel<Int>.BufferType) async throws {
        let channel = CoChannel<Int>(bufferType: type)
        let sent = DispatchQueue.global().coroutineFuture {
            for number in 0..<1000 { try channel.awaitSend(number) }
            channel.close()
        }
        var received: [Int] = []
        for try await number in channel { received.append(number) }
        #expect(received == Array(0..<1000))
        try await sent.value
    }

    @Test(arguments: bufferTypes)
    func fromTaskToCoroutineOfATask(type: CoChannel<Int>.BufferType) async throws {
        let channel = CoChannel<Int>(bufferType: type)
        let sender = Task {
            for number in 0..<1000 { try await channel.send(number) }
            channel.close()
        }
        let received = try await withCoroutine { Array(channel.makeIterator()) }
        #expect(received == Array(0..<1000))
        try await sender.value
    }

    @Test(arguments: bufferTypes)
    func onASerialScheduler(type: CoChannel<Int>.BufferType) async throws {
        let channel = CoChannel<Int>(bufferType: type)
        let scheduler = SerialScheduler()
        scheduler.startCoroutine {
            for number in 0..<1000 { try channel.awaitSend(number) }
            channel.close()
        }
        let received = scheduler.coroutineFuture { Array(channel.makeIterator()) }
        #expect(try await received.value == Array(0..<1000))
    }

    @Test func aSenderThatIsGone() async throws {
        var pair: (receiver: CoChannel<Int>.Receiver, sender: CoChannel<Int>.Sender)? = CoChannel<Int>().pair
        let receiver = try #require(pair?.receiver)
        pair?.sender.offer(1)
        pair = nil
        #expect(try await receiver.receive() == 1)
        await #expect(throws: CoChannelError.self) { try await receiver.receive() }
    }

    @Test("a serial scheduler on one that runs at once goes on in a loop, not in a recursion")
    func onAnImmediateScheduler() throws {
        let scheduler = SerialScheduler(on: ImmediateScheduler())
        let channel = CoChannel<Int>(bufferType: .none)
        scheduler.startCoroutine {
            for number in 0..<100_000 { try channel.awaitSend(number) }
            channel.close()
        }
        let count = scheduler.coroutineFuture { channel.makeIterator().reduce(0) { count, _ in count + 1 } }
        #expect(try count.result?.get() == 100_000)
    }

    @Test func kindsOfBuffer() {
        #expect(CoChannel<Int>(capacity: 0).bufferType == .none)
        #expect(CoChannel<Int>(capacity: .max).bufferType == .unlimited)
        #expect(CoChannel<Int>(capacity: -1).bufferType == .none)
        #expect(CoChannel<Int>(capacity: 1).bufferType == .buffered(capacity: 1))
        #expect(CoChannel<Int>(bufferType: .buffered(capacity: 0)).receiver.bufferType == .none)
        #expect(CoChannel<Int>(bufferType: .buffered(capacity: .max)).sender.bufferType == .unlimited)
        #expect(!CoChannel<Int>(capacity: -1).offer(1))
    }

    /// A channel may be cancelled after it was closed.
    @Test func observersOfTheCancellation() {
        let events = Collected<String>()
        let channel = CoChannel<Int>()
        channel.whenCanceled { events.append("before") }
        channel.sender.whenCanceled { events.append("sender") }
        channel.receiver.map { $0 }.whenCanceled { events.append("mapped") }
        channel.whenComplete { events.append("complete") }
        channel.close()
        #expect(events.all == ["complete"])
        channel.whenCanceled { events.append("after") }
        #expect(events.all == ["complete"])
        channel.cancel()
        #expect(events.all == ["complete", "before", "sender", "mapped", "after"])
        channel.whenCanceled { events.append("at once") }
        channel.cancel()
        #expect(events.all == ["complete", "before", "sender", "mapped", "after", "at once"])
    }

    @Test func observersOfAChannelThatIsClosedAndGoesAway() async throws {
        let tracker = LifetimeTracker()
        let events = Collected<String>()
        do {
            let (channel, token) = (CoChannel<Int>(), tracker.token())
            channel.whenCanceled { withExtendedLifetime(token) { events.append("cancelled") } }
            channel.close()
        }
        try await tracker.allReleased()
        #expect(events.all == [])
    }
}
