// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@testable import AsyncBridgeFutures

@Suite("Channels between tasks")
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

    @Test func aSenderThatIsGone() async throws {
        var pair: (receiver: CoChannel<Int>.Receiver, sender: CoChannel<Int>.Sender)? = CoChannel<Int>().pair
        let receiver = try #require(pair?.receiver)
        pair?.sender.offer(1)
        pair = nil
        #expect(try await receiver.receive() == 1)
        await #expect(throws: CoChannelError.self) { try await receiver.receive() }
    }

    @Test func anIteratorOfAChannelThatIsGoneEnds() async throws {
        var (iterator, receiver) = {
            let channel = CoChannel<Int>()
            channel.offer(1)
            return (channel.makeAsyncIterator(), channel.receiver)
        }()
        try #require(receiver.isClosed)
        #expect(try await iterator.next() == 1)
        await #expect(throws: CoChannelError.self) { try await iterator.next() }
    }

    @Test func anIteratorKeepsAReceiver() async throws {
        var (iterator, sender) = {
            let channel = CoChannel<Int>()
            return (channel.makeAsyncIterator(), channel.sender)
        }()
        #expect(!sender.isCanceled)
        sender.offer(1)
        #expect(try await iterator.next() == 1)
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
