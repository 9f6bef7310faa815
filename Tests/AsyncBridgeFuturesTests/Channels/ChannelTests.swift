// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("Channels between tasks", .timeLimit(.minutes(10)))
struct ChannelTests {
    static let bufferTypes: [BufferingPolicy] = [
        .rendezvous, .bounded(capacity: 1), .bounded(capacity: 8), .unbounded,
    ]

    @Test(arguments: bufferTypes)
    func `between tasks`(type: BufferingPolicy) async throws {
        let channel = CoChannel<Int>(buffering: type)
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
        #expect(channel.isClosed && !channel.isCancelled)
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
        let channel = CoChannel<Int>(buffering: .bounded(capacity: 0))
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
        #expect(!sender.isCancelled)
        sender.offer(1)
        #expect(try await iterator.next() == 1)
    }

    @Test func `kinds of buffer`() {
        #expect(CoChannel<Int>(buffering: .bounded(capacity: 0)).buffering == .rendezvous)
        #expect(CoChannel<Int>().buffering == .unbounded)
        #expect(CoChannel<Int>(buffering: .bounded(capacity: 1)).buffering == .bounded(capacity: 1))
        #expect(CoChannel<Int>(buffering: .bounded(capacity: 0)).receiver.buffering == .rendezvous)
        #expect(CoChannel<Int>(buffering: .newest(capacity: 3)).sender.buffering == .newest(capacity: 3))
        #expect(!CoChannel<Int>(buffering: .rendezvous).offer(1))
    }

    @Test(arguments: [
        (BufferingPolicy.newest(capacity: 3), [3, 4, 5], [1, 2]), (.oldest(capacity: 3), [1, 2, 3], [4, 5]),
    ])
    func `a full channel drops by its policy`(_ policy: BufferingPolicy, _ kept: [Int], _ dropped: [Int]) async throws {
        let undelivered = Collected<Int>()
        let (receiver, sender) = CoChannel<Int>(buffering: policy, onUndelivered: { undelivered.append($0) }).pair
        for number in 1...3 { try await sender.send(number) }
        #expect(sender.offer(4))
        try await sender.send(5)
        sender.close()
        var received: [Int] = []
        for try await number in receiver { received.append(number) }
        #expect(received == kept)
        #expect(undelivered.all == dropped)
    }

    @Test(arguments: [false, true])
    func `a full channel fails by its policy`(offers: Bool) async throws {
        let undelivered = Collected<Int>()
        let made = CallSite(line: #line + 1)
        let (receiver, sender) = CoChannel<Int>(
            buffering: .failing(capacity: 2),
            onUndelivered: { undelivered.append($0) }
        )
        .pair
        let fault = BridgeFault(.bufferOverflow, made: made)
        for number in 1...2 { try await sender.send(number) }
        if offers {
            #expect(!sender.offer(3))
        } else {
            await #expect(throws: fault) { try await sender.send(3) }
            #expect(undelivered.all == [3])
        }
        #expect(sender.isClosed)
        #expect(try await receiver.receive() == 1)
        #expect(try await receiver.receive() == 2)
        await #expect(throws: fault) { try await receiver.receive() }
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(arguments: 0..<3)
    func `wrong sizes are refused`(_ number: Int) async {
        await #expect(processExitsWith: .failure) { [number] in
            let policies: [BufferingPolicy] = [
                .bounded(capacity: -1), .newest(capacity: 0), .watermark(low: 2, high: 1),
            ]
            _ = CoChannel<Int>(buffering: policies[number])
        }
    }
    #endif

    /// A channel may be cancelled after it was closed.
    @Test func `observers of the cancellation`() {
        let events = Collected<String>()
        let channel = CoChannel<Int>()
        channel.whenCancelled { events.append("before") }
        channel.sender.whenCancelled { events.append("sender") }
        channel.receiver.map { $0 }.whenCancelled { events.append("mapped") }
        channel.whenComplete { events.append("complete") }
        channel.close()
        #expect(events.all == ["complete"])
        channel.whenCancelled { events.append("after") }
        #expect(events.all == ["complete"])
        channel.cancel()
        #expect(events.all == ["complete", "before", "sender", "mapped", "after"])
        channel.whenCancelled { events.append("at once") }
        channel.cancel()
        #expect(events.all == ["complete", "before", "sender", "mapped", "after", "at once"])
    }

    @Test func `observers of a channel that is closed and goes away`() async throws {
        let tracker = LifetimeTracker()
        let events = Collected<String>()
        do {
            let (channel, token) = (CoChannel<Int>(), tracker.token())
            channel.whenCancelled { withExtendedLifetime(token) { events.append("cancelled") } }
            channel.close()
        }
        try await tracker.allReleased()
        #expect(events.all == [])
    }
}
