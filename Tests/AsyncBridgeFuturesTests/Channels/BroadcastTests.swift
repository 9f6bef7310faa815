// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("A channel with many receivers", .timeLimit(.minutes(10)))
struct BroadcastTests {
    /// What a receiver finds without waiting.
    static func drain<Element>(_ receiver: CoChannel<Element>.Receiver) -> [Element] {
        var all: [Element] = []
        while let element = receiver.poll() { all.append(element) }
        return all
    }

    @Test func `each gets all: according to its policy`() {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        let all = broadcast.subscribe()
        let newest = broadcast.subscribe(buffering: .newest(capacity: 1))
        let two = broadcast.subscribe(buffering: .bounded(capacity: 2))
        let none = broadcast.subscribe(buffering: .rendezvous)
        #expect(broadcast.subscriberCount == 4)
        // The last has no room, and the third none for a third.
        #expect((1...3).map { broadcast.offer($0) } == [false, false, false])
        #expect(Self.drain(all) == [1, 2, 3])
        #expect(Self.drain(newest) == [3])
        #expect(Self.drain(two) == [1, 2])
        #expect(Self.drain(none) == [])
        #expect(broadcast.droppedCount == 4)
        #expect(undelivered.all == [1, 1, 2, 2, 3, 3], "replaced once or dropped")
    }

    @Test func `a loop and the newest`() async throws {
        let prices = CoBroadcast(of: Int.self, current: 100)
        let screen = prices.subscribe(buffering: .newest(capacity: 1))
        let archive = prices.subscribe()
        prices.offer(101)
        prices.offer(102)
        prices.close()
        #expect(try await screen.receive() == 102)
        var all: [Int] = []
        for try await price in archive { all.append(price) }
        #expect(all == [100, 101, 102])
    }

    @Test func `who comes later gets what comes later`() {
        let broadcast = CoBroadcast(of: Int.self)
        #expect(broadcast.offer(1), "nobody is there to have no room")
        #expect(broadcast.current == nil)
        let receiver = broadcast.subscribe()
        #expect(broadcast.offer(2))
        #expect(Self.drain(receiver) == [2])
    }

    @Test func `the current value comes first`() {
        let broadcast = CoBroadcast(of: Int.self, current: 1)
        let early = broadcast.subscribe()
        broadcast.offer(2)
        #expect(broadcast.current == 2)
        let late = broadcast.subscribe(buffering: .newest(capacity: 1))
        let none = broadcast.subscribe(buffering: .rendezvous)
        #expect(Self.drain(early) == [1, 2])
        #expect(Self.drain(late) == [2])
        #expect(Self.drain(none) == [])
    }

    @Test func `a dropped element becomes the current one`() {
        let broadcast = CoBroadcast(of: Int.self, current: 1)
        let receiver = broadcast.subscribe(buffering: .bounded(capacity: 1))
        #expect(!broadcast.offer(2))
        #expect(broadcast.current == 2)
        #expect(Self.drain(receiver) == [1])
    }

    @Test func `what a subscriber's own policy drops is taken, and not counted`() {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        let oldest = broadcast.subscribe(buffering: .oldest(capacity: 1))
        let failing = broadcast.subscribe(buffering: .failing(capacity: 1))
        #expect((1...2).map { broadcast.offer($0) } == [true, true])
        #expect(undelivered.all == [2, 2], "once for each subscriber")
        #expect(broadcast.droppedCount == 0)
        #expect(broadcast.subscriberCount == 2)
        failing.cancel()
        #expect(broadcast.subscriberCount == 1)
        #expect(Self.drain(oldest) == [1])
    }

    // MARK: Leaving

    @Test func `a subscriber leaves by cancelling`() {
        let broadcast = CoBroadcast(of: Int.self)
        let (stays, leaves) = (broadcast.subscribe(), broadcast.subscribe(buffering: .rendezvous))
        leaves.cancel()
        #expect(broadcast.subscriberCount == 1)
        #expect(broadcast.offer(1), "one that has left drops nothing")
        #expect(broadcast.droppedCount == 0)
        #expect(Self.drain(stays) == [1])
    }

    @Test func `a subscriber leaves by letting go`() {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        var leaves: CoChannel<Int>.Receiver? = broadcast.subscribe()
        broadcast.offer(1)
        #expect(leaves?.count == 1)
        leaves = nil
        #expect(broadcast.subscriberCount == 0)
        #expect(undelivered.all == [1])
        #expect(broadcast.offer(2))
        #expect(undelivered.all == [1, 2], "for nobody")
    }

    // MARK: Sending

    @Test(arguments: [BufferingPolicy.rendezvous, .bounded(capacity: 1), .unbounded])
    func `between tasks`(type: BufferingPolicy) async throws {
        let broadcast = CoBroadcast(of: Int.self)
        let receivers = (0..<3).map { _ in broadcast.subscribe(buffering: type) }
        let received = receivers.map { receiver in
            CoFuture { () -> [Int] in
                var all: [Int] = []
                for try await element in receiver { all.append(element) }
                return all
            }
        }
        for number in 0..<100 { try await broadcast.send(number) }
        broadcast.close()
        for future in received { #expect(try await future.value == Array(0..<100)) }
    }

    @Test func `in a cancelled task, it is sent to those with room`() async {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        let quick = broadcast.subscribe()
        let task = Task {
            unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
            try await broadcast.send(1)
            let full = broadcast.subscribe(buffering: .rendezvous)
            await #expect(throws: CancellationError.self) { try await broadcast.send(2) }
            #expect(full.poll() == nil)
        }
        await #expect(throws: Never.self) { try await task.value }
        #expect(Self.drain(quick) == [1, 2])
        #expect(undelivered.all == [2])
    }

    // MARK: The end

    @Test func `closing leaves what is in the buffers`() async throws {
        let broadcast = CoBroadcast(of: Int.self, current: 1)
        let receiver = broadcast.subscribe()
        #expect(broadcast.close())
        #expect(!broadcast.close())
        #expect(broadcast.isClosed)
        #expect(broadcast.subscriberCount == 0)
        #expect(try await receiver.receive() == 1)
        await #expect(throws: CoChannelError.closed) { try await receiver.receive() }
        #expect(!broadcast.offer(2))
        await #expect(throws: CoChannelError.closed) { try await broadcast.send(2) }
        #expect(broadcast.current == 1)
        // Who comes too late gets what is current, and the end.
        let late = broadcast.subscribe()
        #expect(try await late.receive() == 1)
        await #expect(throws: CoChannelError.closed) { try await late.receive() }
    }

    @Test func `going away is the end of the sender`() async throws {
        var broadcast: CoBroadcast<Int>? = CoBroadcast(of: Int.self)
        let subscribed = CallSite(line: #line + 1)
        let receiver = try #require(broadcast?.subscribe())
        broadcast?.offer(1)
        broadcast = nil
        #expect(try await receiver.receive() == 1)
        await #expect(throws: CoChannelError.senderDropped(subscribed)) { try await receiver.receive() }
    }

    @Test func `going away ends a loop with an error`() async {
        var broadcast: CoBroadcast<Int>? = CoBroadcast(of: Int.self)
        let log = EventLog()
        let loop = broadcast?.subscribe().map { element in
            log.record("\(element)")
            return element
        }
        let future = CoFuture {
            guard let loop else { return }
            for try await _ in loop {}
        }
        broadcast?.offer(1)
        broadcast?.offer(2)
        broadcast = nil
        await #expect(throws: CoChannelError.self) { try await future.value }
        #expect(log.events == ["1", "2"])
    }

    @Test func `nothing is kept`() async {
        let tracker = LifetimeTracker()
        do {
            let broadcast = CoBroadcast(of: LifetimeTracker.Token.self, current: tracker.token())
            let (left, right) = (broadcast.subscribe(), broadcast.subscribe(buffering: .newest(capacity: 1)))
            for _ in 0..<3 { broadcast.offer(tracker.token()) }
            #expect(left.count == 4 && right.count == 1)
            #expect(tracker.alive == 4)
            left.cancel()
            #expect(tracker.alive == 1)
        }
        #expect(tracker.alive == 0)
    }

    /// No user code ends under the lock.
    @Test func `the end of an element may use the broadcast`() {
        let counts = Collected<Int>()
        let holder = Collected<CoBroadcast<LastWord>>()
        let goodbye: @Sendable () -> Void = { for broadcast in holder.all { counts.append(broadcast.subscriberCount) } }
        holder.append(CoBroadcast(of: LastWord.self, current: LastWord(goodbye)))
        for broadcast in holder.all { broadcast.offer(LastWord(goodbye)) }
        #expect(counts.all == [0])
        holder.removeAll()
        #expect(counts.all == [0], "nobody is left to ask")
    }
}
