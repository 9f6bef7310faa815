// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

/// A broadcast ends as a channel does.
@Suite("A channel with many receivers: its end", .timeLimit(.minutes(10)))
struct BroadcastEndTests {
    let undelivered = Collected<Int>()
    let broadcast: CoBroadcast<Int>

    init() {
        let undelivered = self.undelivered
        self.broadcast = CoBroadcast(onUndelivered: { undelivered.append($0) })
    }

    // MARK: With an error

    @Test func `closed with an error: what is in the buffers comes first`() async throws {
        let (left, right) = (self.broadcast.subscribe(), self.broadcast.subscribe().map { $0 * 10 })
        self.broadcast.offer(1)
        #expect(self.broadcast.close(throwing: Failure(1)))
        #expect(!self.broadcast.close() && !self.broadcast.close(throwing: Failure(2)), "the first end counts")
        #expect(self.broadcast.isClosed && !self.broadcast.isCancelled)
        #expect(left.isClosed)
        #expect(try await left.receive() == 1)
        await #expect(throws: Failure(1)) { try await left.receive() }
        var all: [Int] = []
        await #expect(throws: Failure(1)) { for try await element in right { all.append(element) } }
        #expect(all == [10])
        #expect(self.undelivered.all == [])
    }

    @Test func `closed with an error, it takes no more`() async {
        self.broadcast.close(throwing: Failure(1))
        await #expect(throws: Failure(1)) { try await self.broadcast.send(1) }
        #expect(self.undelivered.all == [1])
        #expect(!self.broadcast.offer(2), "the caller keeps it")
        let late = self.broadcast.subscribe()
        await #expect(throws: Failure(1)) { try await late.receive() }
        #expect(self.undelivered.all == [1])
    }

    @Test func `closed with an error, a sender that waits gets it`() async {
        let (broadcast, full) = (self.broadcast, self.broadcast.subscribe(buffering: .rendezvous))
        let quick = broadcast.subscribe()
        let sent = CoFuture { try await broadcast.send(1) }
        await until { !quick.isEmpty }
        broadcast.close(throwing: Failure(3))
        await #expect(throws: Failure(3)) { try await sent.value }
        #expect(self.undelivered.all == [1])
        #expect(quick.poll() == 1)
        withExtendedLifetime(full) {}
    }

    @Test func `closed with an error, it gives a late subscriber the current element first`() async throws {
        let prices = CoBroadcast(of: Int.self, current: 1)
        prices.close(throwing: Failure(4))
        #expect(prices.current == 1)
        let late = prices.subscribe()
        #expect(try await late.receive() == 1)
        await #expect(throws: Failure(4)) { try await late.receive() }
    }

    // MARK: Cancelled

    @Test func `cancelled: what is in the buffers is undelivered`() async {
        let (left, right) = (self.broadcast.subscribe(), self.broadcast.subscribe(buffering: .newest(capacity: 1)))
        self.broadcast.offer(1)
        self.broadcast.cancel()
        #expect(self.broadcast.isCancelled && !self.broadcast.isClosed)
        #expect(left.isCancelled && right.isCancelled)
        #expect(self.undelivered.all == [1, 1])
        for receiver in [left, right] {
            await #expect(throws: CancellationError.self) { try await receiver.receive() }
        }
        await #expect(throws: CancellationError.self) { try await self.broadcast.send(2) }
        #expect(self.undelivered.all == [1, 1, 2])
        #expect(!self.broadcast.offer(3))
        #expect(!self.broadcast.close())
        #expect(self.broadcast.subscriberCount == 0)
        let late = self.broadcast.subscribe()
        await #expect(throws: CancellationError.self) { try await late.receive() }
        #expect(self.undelivered.all == [1, 1, 2])
    }

    @Test func `cancelled, a sender and a receiver that wait get the error`() async {
        let (broadcast, full) = (self.broadcast, self.broadcast.subscribe(buffering: .rendezvous))
        let (quick, empty) = (
            broadcast.subscribe(),
            CoFuture { [receiver = broadcast.subscribe()] in
                _ = try await receiver.receive()
                return try await receiver.receive()
            }
        )
        let sent = CoFuture { try await broadcast.send(1) }
        await until { !quick.isEmpty }
        broadcast.cancel()
        await #expect(throws: CancellationError.self) { try await sent.value }
        await #expect(throws: CancellationError.self) { try await empty.value }
        #expect(self.undelivered.all.filter { $0 == 1 }.count >= 2, "for the full one, and from the quick one's buffer")
        withExtendedLifetime(full) {}
    }

    /// Subscribers that came after the end have the current element in their buffers.
    @Test(arguments: [false, true])
    func `closed and then cancelled: the rest is undelivered`(fails: Bool) async {
        let undelivered = self.undelivered
        let prices = CoBroadcast(current: 0, onUndelivered: { undelivered.append($0) })
        let early = prices.subscribe()
        prices.offer(1)
        if fails { prices.close(throwing: Failure(5)) } else { prices.close() }
        let late = prices.subscribe()
        #expect(undelivered.all == [])
        prices.cancel()
        #expect(undelivered.all == [0, 1, 1])
        #expect(prices.current == nil)
        #expect(prices.isCancelled && !prices.isClosed)
        for receiver in [early, late] {
            await #expect(throws: CancellationError.self) { try await receiver.receive() }
        }
    }

    @Test func `after the end a broadcast does not keep subscribers that leave`() {
        let tracker = LifetimeTracker()
        let prices = CoBroadcast(of: LifetimeTracker.Token.self)
        var receiver: CoChannel<LifetimeTracker.Token>.Receiver? = prices.subscribe()
        prices.offer(tracker.token())
        prices.close()
        #expect(receiver?.count == 1 && tracker.alive == 1)
        receiver = nil
        #expect(tracker.alive == 0)
    }

    // MARK: The first end counts

    /// The sender runs again only when both ends have come.
    @Test(arguments: [1, 2]) @MainActor
    func `a waiting sender is told of the end, not of what came after it`(_ subscribers: Int) async {
        let receivers = (0..<subscribers).map { _ in self.broadcast.subscribe(buffering: .rendezvous) }
        let sending = Task { try await self.broadcast.send(1) }
        // On this actor, so it waits when it gives the actor up.
        for _ in 0..<3 { await Task.yield() }
        self.broadcast.close()
        for receiver in receivers { receiver.cancel() }
        await #expect(throws: CoChannelError.closed) { try await sending.value }
        #expect(self.undelivered.all == Array(repeating: 1, count: subscribers))
    }

    /// Those who waited run again only when both ends have come.
    @Test(arguments: [1, 2], [false, true]) @MainActor
    func `who waits is told of the failure, not of the cancel after it`(_ subscribers: Int, fails: Bool) async {
        let receivers = (0..<subscribers).map { _ in self.broadcast.subscribe(buffering: .rendezvous) }
        let sending = Task { try await self.broadcast.send(1) }
        let empty = CoBroadcast(of: Int.self)
        let subscriber = empty.subscribe()
        let receiving = Task { try await subscriber.receive() }
        // On this actor, so they wait when it gives the actor up.
        for _ in 0..<3 { await Task.yield() }
        for broadcast in [self.broadcast, empty] {
            if fails { broadcast.close(throwing: Failure(5)) } else { broadcast.close() }
            broadcast.cancel()
        }
        for task in [sending, Task { _ = try await receiving.value }] {
            if fails {
                await #expect(throws: Failure(5)) { try await task.value }
            } else {
                await #expect(throws: CoChannelError.closed) { try await task.value }
            }
        }
        await #expect(throws: CancellationError.self) { try await subscriber.receive() }
        withExtendedLifetime(receivers) {}
    }

    // MARK: For no subscriber

    @Test func `without subscribers, an element is undelivered`() async throws {
        try await self.broadcast.send(1)
        #expect(self.broadcast.offer(2), "none had no room")
        #expect(self.undelivered.all == [1, 2])
        let receiver = self.broadcast.subscribe()
        try await self.broadcast.send(3)
        receiver.cancel()
        #expect(self.undelivered.all == [1, 2, 3])
        try await self.broadcast.send(4)
        #expect(self.undelivered.all == [1, 2, 3, 4])
        #expect(self.broadcast.droppedCount == 0)
    }

    @Test func `without subscribers, it becomes the current element`() async throws {
        let undelivered = self.undelivered
        let prices = CoBroadcast(current: 0, onUndelivered: { undelivered.append($0) })
        try await prices.send(1)
        #expect(prices.offer(2))
        #expect(prices.current == 2)
        #expect(prices.subscribe().poll() == 2)
        #expect(undelivered.all == [])
    }

    @Test func `sent after the end, an element is undelivered`() async {
        self.broadcast.close()
        await #expect(throws: CoChannelError.closed) { try await self.broadcast.send(1) }
        #expect(self.undelivered.all == [1])
        #expect(!self.broadcast.offer(2), "the caller keeps it")
        #expect(self.undelivered.all == [1])
    }

    /// No user code runs under the lock.
    @Test func `an element without subscribers may use the broadcast`() {
        let (holder, counts) = (Collected<CoBroadcast<Int>>(), Collected<Int>())
        holder.append(
            CoBroadcast(onUndelivered: { _ in for broadcast in holder.all { counts.append(broadcast.subscriberCount) } }
            )
        )
        for broadcast in holder.all {
            broadcast.offer(1)
            broadcast.cancel()
        }
        #expect(counts.all == [0])
        holder.removeAll()
    }
}
