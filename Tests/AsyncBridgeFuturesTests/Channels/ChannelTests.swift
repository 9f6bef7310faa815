// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("Channels between tasks", .timeLimit(.minutes(10)))
struct ChannelTests {
    static let bufferTypes: [CoChannel<Int>.BufferType] = [
        .none, .buffered(capacity: 1), .buffered(capacity: 8), .unlimited,
    ]

    @Test(arguments: bufferTypes)
    func `between tasks`(type: CoChannel<Int>.BufferType) async throws {
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

    @Test func `closed with an error`() async throws {
        let channel = CoChannel<Int>()
        channel.offer(1)
        let finished = Mutex<[any Error]>([])
        channel.whenFinished { error in finished.withLock { if let error { $0.append(error) } } }
        #expect(channel.sender.close(throwing: Failure(1)))
        #expect(!channel.close(throwing: Failure(2)))
        #expect(!channel.close())
        #expect(channel.isClosed && !channel.isCanceled)
        #expect(finished.withLock { $0.map { "\($0)" } } == ["\(Failure(1))"])
        #expect(!channel.offer(2))
        await #expect(throws: Failure(1)) { try await channel.send(3) }
        var iterator = channel.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await #expect(throws: Failure(1)) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        await #expect(throws: Failure(1)) { try await channel.map { $0 }.receive() }
        await #expect(throws: Failure(1)) { try await channel.receiveFuture().value }
        await #expect(throws: Failure(1)) { try await select(.receive(from: channel) { $0 }) }
    }

    @Test func `closed with an error tells those who wait`() async throws {
        let channel = CoChannel<Int>(capacity: 0)
        let sender = Task { try await channel.send(1) }
        await until { channel.hasSenders }
        channel.close(throwing: Failure(1))
        await #expect(throws: Failure(1)) { try await sender.value }
    }

    /// A function instead of a closure gives the same type, not the standard library's `AsyncMapSequence`.
    @Test func `mapped by a function ends with its senders`() async throws {
        @Sendable func double(_ number: Int) -> Int { 2 * number }
        let (ofChannel, ofReceiver) = {
            let channel = CoChannel<Int>()
            channel.offer(1)
            channel.offer(2)
            return (channel.map(double), channel.receiver.map(double))
        }()
        #expect(try await ofChannel.receive() == 2)
        #expect(try await ofReceiver.receive() == 4)
        await #expect(throws: CoChannelError.self) { try await ofChannel.receive() }
    }

    @Test func `a sender that is gone`() async throws {
        var pair: (receiver: CoChannel<Int>.Receiver, sender: CoChannel<Int>.Sender)? = CoChannel<Int>().pair
        let receiver = try #require(pair?.receiver)
        pair?.sender.offer(1)
        pair = nil
        #expect(try await receiver.receive() == 1)
        await #expect(throws: CoChannelError.self) { try await receiver.receive() }
    }

    @Test func `an iterator of a channel that is gone ends`() async throws {
        var (iterator, receiver) = {
            let channel = CoChannel<Int>()
            channel.offer(1)
            return (channel.makeAsyncIterator(), channel.receiver)
        }()
        try #require(receiver.isClosed)
        #expect(try await iterator.next() == 1)
        await #expect(throws: CoChannelError.self) { try await iterator.next() }
    }

    @Test func `an iterator keeps a receiver`() async throws {
        var (iterator, sender) = {
            let channel = CoChannel<Int>()
            return (channel.makeAsyncIterator(), channel.sender)
        }()
        #expect(!sender.isCanceled)
        sender.offer(1)
        #expect(try await iterator.next() == 1)
    }

    @Test func `kinds of buffer`() {
        #expect(CoChannel<Int>(capacity: 0).bufferType == .none)
        #expect(CoChannel<Int>(capacity: .max).bufferType == .unlimited)
        #expect(CoChannel<Int>(capacity: -1).bufferType == .none)
        #expect(CoChannel<Int>(capacity: 1).bufferType == .buffered(capacity: 1))
        #expect(CoChannel<Int>(bufferType: .buffered(capacity: 0)).receiver.bufferType == .none)
        #expect(CoChannel<Int>(bufferType: .buffered(capacity: .max)).sender.bufferType == .unlimited)
        #expect(!CoChannel<Int>(capacity: -1).offer(1))
    }

    /// A channel may be cancelled after it was closed.
    @Test func `observers of the cancellation`() {
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

    @Test func `observers of a channel that is closed and goes away`() async throws {
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
