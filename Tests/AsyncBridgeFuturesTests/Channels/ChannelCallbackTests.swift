// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// `sendFuture` is a sender, `whenReceive` and `receiveFuture` are receivers, for as long as they wait.
@Suite("What waits in a channel without a coroutine or task", .timeLimit(.minutes(10)))
struct ChannelCallbackTests {
    typealias World = UndeliveredWorld

    private static func half(_ type: BufferingPolicy = .rendezvous) -> (
        receiver: CoChannel<Int>.Receiver, sender: CoChannel<Int>.Sender
    ) { CoChannel(buffering: type).pair }

    // MARK: Receivers

    @Test func `a callback is a receiver`() {
        let received = Collected<Int>()
        let sender = {
            let (receiver, sender) = Self.half()
            receiver.whenReceive { if case .success(let element) = $0 { received.append(element) } }
            return sender
        }()
        #expect(!sender.isCancelled)
        #expect(sender.offer(1))
        #expect(received.all == [1])
        #expect(sender.isCancelled, "nobody receives any more")
    }

    @Test func `a future is a receiver`() throws {
        let (future, sender) = {
            let (receiver, sender) = Self.half()
            return (receiver.receiveFuture(), sender)
        }()
        #expect(!sender.isCancelled)
        #expect(sender.offer(1))
        #expect(try future.result?.get() == 1)
        #expect(sender.isCancelled)
    }

    @Test func `a future of a mapped receiver is a receiver`() throws {
        let (future, sender) = {
            let (receiver, sender) = Self.half()
            return (receiver.map { $0 * 10 }.receiveFuture(), sender)
        }()
        #expect(!sender.isCancelled)
        #expect(sender.offer(1))
        #expect(try future.result?.get() == 10)
        #expect(sender.isCancelled)
    }

    @Test func `a future that is cancelled is none`() {
        let (future, sender) = {
            let (receiver, sender) = Self.half()
            return (receiver.receiveFuture(), sender)
        }()
        future.cancel()
        #expect(sender.isCancelled)
    }

    @Test func `a callback hears that the senders are gone`() {
        let errors = Collected<String>()
        do {
            let channel = CoChannel<Int>(fileID: "Made", line: 1)
            channel.whenReceive { if case .failure(let error) = $0 { errors.append("\(error)") } }
        }
        #expect(errors.all.count == 1)
        #expect(errors.all.allSatisfy { $0.hasPrefix("All senders of the channel") && $0.contains("Made:1") })
    }

    // MARK: Senders

    @Test func `a future that is sent is a sender`() {
        let promise = CoPromise<Int>()
        let receiver = {
            let (receiver, sender) = Self.half(.unbounded)
            sender.sendFuture(promise)
            return receiver
        }()
        #expect(!receiver.isClosed)
        promise.success(1)
        #expect(receiver.poll() == 1)
        #expect(receiver.isClosed, "nobody sends any more")
    }

    @Test func `an element that waits is a sender`() {
        let receiver = {
            let (receiver, sender) = Self.half(.bounded(capacity: 1))
            for number in 1...3 { sender.sendFuture(CoFuture(result: .success(number))) }
            return receiver
        }()
        #expect(!receiver.isClosed)
        #expect([receiver.poll(), receiver.poll()] == [1, 2])
        #expect(receiver.isClosed, "nobody waits to send any more")
        #expect(receiver.poll() == 3)
    }

    @Test(arguments: [true, false])
    func `a future without a value is no sender`(fails: Bool) {
        var promise: CoPromise<Int>? = CoPromise<Int>()
        let receiver = {
            let (receiver, sender) = Self.half(.unbounded)
            promise.map { sender.sendFuture($0) }
            return receiver
        }()
        #expect(!receiver.isClosed)
        if fails { promise?.fail(Failure()) }
        promise = nil
        #expect(receiver.isClosed)
    }

    @Test func `without handles it is undelivered`() {
        let promise = CoPromise<Int>()
        let undelivered = {
            let world = World(.unbounded)
            world.channel.sendFuture(promise)
            world.channel.sendFuture(CoFuture(result: .success(1)))
            return world.undelivered
        }()
        #expect(undelivered.all == [1])
        promise.success(2)
        #expect(undelivered.all == [1, 2])
    }

    @Test func `what waits for room is undelivered without receivers`() {
        let undelivered = {
            let world = World(.rendezvous)
            world.channel.sendFuture(CoFuture(result: .success(1)))
            #expect(world.undelivered.all == [])
            return world.undelivered
        }()
        #expect(undelivered.all == [1])
    }

    @Test func `nothing is left behind`() async throws {
        let tracker = LifetimeTracker()
        do {
            let token = tracker.token("channel")
            let channel = CoChannel<Int>(
                buffering: .bounded(capacity: 1),
                onUndelivered: { _ in withExtendedLifetime(token) {} }
            )
            for number in 1...3 { channel.sendFuture(CoFuture(result: .success(number))) }
            let other = CoChannel<Int>(
                buffering: .bounded(capacity: 1),
                onUndelivered: { _ in withExtendedLifetime(token) {} }
            )
            for _ in 1...3 { other.whenReceive { _ in withExtendedLifetime(token) {} } }
        }
        try await tracker.allReleased()
    }
}
