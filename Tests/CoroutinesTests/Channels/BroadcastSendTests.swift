// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// Who sends to a broadcast, and may have to wait.
enum BroadcastSender: CaseIterable, Sendable {
    case task
    case coroutineOfATask
    case coroutineOnAScheduler

    /// Sends an element, and comes back when the sender waits, or has ended.
    func send<Element>(
        _ element: Element,
        to broadcast: CoBroadcast<Element>,
        until isWaiting: () -> Bool
    ) async -> SentElement {
        let outcome = Collected<String>()
        @Sendable func note(_ body: () throws -> Void) {
            do {
                try body()
                outcome.append("sent")
            } catch {
                outcome.append(error is CancellationError ? "cancelled" : "\(error)")
            }
        }
        let sent: SentElement
        switch self {
        case .task:
            let task = Task {
                do {
                    try await broadcast.send(element)
                    note {}
                } catch { note { throw error } }
            }
            sent = SentElement(outcome: outcome, cancel: { task.cancel() }, ended: { await task.value })
        case .coroutineOfATask:
            let task = Task { _ = try? await withCoroutine { note { try broadcast.awaitSend(element) } } }
            sent = SentElement(outcome: outcome, cancel: { task.cancel() }, ended: { await task.value })
        case .coroutineOnAScheduler:
            let coroutine = DispatchQueue.global().startCoroutine { note { try broadcast.awaitSend(element) } }
            sent = SentElement(outcome: outcome, cancel: { coroutine.cancel() }, ended: { await coroutine.ended() })
        }
        await until { isWaiting() }
        // One subscriber may have the element while others are still offered it, under the broadcast's lock.
        _ = broadcast.subscriberCount
        return sent
    }
}

/// An element on its way.
struct SentElement: Sendable {
    let outcome: Collected<String>
    let cancel: @Sendable () -> Void
    let ended: @Sendable () async -> Void

    /// What became of the call that sent it.
    func end() async -> [String] {
        await self.ended()
        return self.outcome.all
    }
}

@Suite("A channel with many receivers: a send that waits", .timeLimit(.minutes(10)))
struct BroadcastSendTests {
    /// What a receiver finds without waiting.
    private func drain<Element>(_ receiver: CoChannel<Element>.Receiver) -> [Element] {
        var all: [Element] = []
        while let element = receiver.poll() { all.append(element) }
        return all
    }

    // MARK: One order

    @Test(arguments: BroadcastSender.allCases)
    func `who has room does not wait for the others`(sender: BroadcastSender) async {
        let broadcast = CoBroadcast(of: Int.self)
        let (slow, quick) = (broadcast.subscribe(buffering: .rendezvous), broadcast.subscribe())
        let sent = await sender.send(1, to: broadcast) { !quick.isEmpty }
        #expect(sent.outcome.all == [])
        #expect(self.drain(quick) == [1])
        await until { slow.poll() != nil }
        #expect(await sent.end() == ["sent"])
    }

    /// A sender that waits for one subscriber has not yet come to the next: a newer element must not overtake it there.
    @Test func `the newest element is the current one everywhere`() {
        let (broadcast, scheduler) = (CoBroadcast(of: Int.self, current: 0), ManualScheduler())
        let (slow, newest) = (
            broadcast.subscribe(buffering: .rendezvous), broadcast.subscribe(buffering: .newest(capacity: 1))
        )
        scheduler.startCoroutine { try broadcast.awaitSend(1) }
        scheduler.run()
        #expect(!broadcast.offer(2), "the slow one has no room")
        #expect(slow.poll() == 1)
        scheduler.run()
        #expect(broadcast.current == 2)
        #expect(self.drain(newest) == [2])
    }

    @Test func `all see the same order`() {
        let (broadcast, scheduler) = (CoBroadcast(of: Int.self), ManualScheduler())
        let (slow, quick) = (broadcast.subscribe(buffering: .rendezvous), broadcast.subscribe())
        for number in 1...3 { scheduler.startCoroutine { try broadcast.awaitSend(number) } }
        scheduler.run()
        var received: [Int] = []
        while let element = slow.poll() {
            received.append(element)
            scheduler.run()
        }
        #expect(received == [1, 2, 3])
        #expect(self.drain(quick) == [1, 2, 3])
    }

    @Test func `send waits for those without room`() async throws {
        let (broadcast, scheduler) = (CoBroadcast(of: Int.self), ManualScheduler())
        let (two, all) = (broadcast.subscribe(buffering: .bounded(capacity: 2)), broadcast.subscribe())
        let sent = scheduler.coroutineFuture { for number in 1...5 { try broadcast.awaitSend(number) } }
        scheduler.run()
        #expect(sent.result == nil)
        #expect(self.drain(all) == [1, 2, 3], "the third has come here, and waits for room there")
        var received: [Int] = []
        while sent.result == nil {
            let element = try #require(two.poll())
            received.append(element)
            scheduler.run()
        }
        #expect(received + self.drain(two) == [1, 2, 3, 4, 5])
        #expect(self.drain(all) == [4, 5])
        #expect(broadcast.droppedCount == 0)
    }

    @Test func `outside a coroutine`() async {
        let broadcast = CoBroadcast(of: Int.self)
        func send() { #expect(throws: CoroutineError.outsideCoroutine) { try broadcast.awaitSend(1) } }
        send()
    }

    // MARK: Cancelling

    @Test(arguments: BroadcastSender.allCases)
    func `cancelled, who has no room does not get the element`(sender: BroadcastSender) async {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        let full = (0..<2).map { _ in broadcast.subscribe(buffering: .rendezvous) }
        let quick = broadcast.subscribe()
        let sent = await sender.send(1, to: broadcast) { !quick.isEmpty }
        sent.cancel()
        #expect(await sent.end() == ["cancelled"])
        #expect(undelivered.all == [1, 1], "once for each that has not got it")
        #expect(self.drain(quick) == [1])
        #expect(full.map { self.drain($0) } == [[], []])
        #expect(broadcast.subscriberCount == 3)
        // An optimised build would release them, and so end the subscriptions, after their last use.
        withExtendedLifetime((full, quick)) {}
    }

    @Test func `cancelled, who was served has the element`() {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        let scheduler = ManualScheduler()
        let full = (0..<2).map { _ in broadcast.subscribe(buffering: .rendezvous) }
        let sender = scheduler.startCoroutine { try broadcast.awaitSend(1) }
        scheduler.run()
        #expect(full[0].poll() == 1)
        sender.cancel()
        scheduler.run()
        #expect(undelivered.all == [1])
        #expect(full[1].poll() == nil)
    }

    /// A result that is there is returned.
    @Test func `cancelled when all have it, it is sent`() throws {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        let (scheduler, log) = (ManualScheduler(), EventLog())
        let full = broadcast.subscribe(buffering: .rendezvous)
        let sender = scheduler.startCoroutine {
            try broadcast.awaitSend(1)
            log.record("sent")
        }
        scheduler.run()
        #expect(full.poll() == 1)
        sender.cancel()
        scheduler.run()
        #expect(log.events == ["sent"])
        #expect(undelivered.all == [])
    }

    @Test(arguments: BroadcastSender.allCases)
    func `the next one moves up`(sender: BroadcastSender) async {
        let broadcast = CoBroadcast(of: Int.self)
        let (full, quick) = (broadcast.subscribe(buffering: .rendezvous), broadcast.subscribe())
        let first = await sender.send(1, to: broadcast) { quick.count == 1 }
        let second = await sender.send(2, to: broadcast) { quick.count == 2 }
        first.cancel()
        #expect(await first.end() == ["cancelled"])
        #expect(full.poll() == 2)
        #expect(await second.end() == ["sent"])
    }

    /// A coroutine whose scheduler releases its next step does not go on.
    @Test func `an unwound sender is cancelled`() {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        let (scheduler, log) = (ManualScheduler(), EventLog())
        let full = (0..<2).map { _ in broadcast.subscribe(buffering: .rendezvous) }
        scheduler.startCoroutine {
            do { try broadcast.awaitSend(1) } catch { log.record("\(type(of: error))") }
            do { try broadcast.awaitSend(2) } catch { log.record("\(type(of: error))") }
        }
        scheduler.run()
        for receiver in full { #expect(receiver.poll() == 1) }
        scheduler.dropOne()
        #expect(log.events == ["CancellationError", "CancellationError"])
        #expect(undelivered.all == [2, 2], "the second cannot wait")
        withExtendedLifetime(full) {}
    }

    // MARK: The end

    @Test(arguments: BroadcastSender.allCases)
    func `closed: who has no room does not get the element`(sender: BroadcastSender) async {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        let full = (0..<2).map { _ in broadcast.subscribe(buffering: .rendezvous) }
        let quick = broadcast.subscribe()
        let sent = await sender.send(1, to: broadcast) { !quick.isEmpty }
        #expect(broadcast.close())
        // The subscribers leave too, but it is the broadcast that has ended first.
        for receiver in full { receiver.cancel() }
        #expect(await sent.end() == ["\(CoChannelError.closed)"])
        #expect(undelivered.all == [1, 1])
        #expect(self.drain(quick) == [1])
    }

    @Test(arguments: BroadcastSender.allCases)
    func `a subscriber that leaves is no error`(sender: BroadcastSender) async {
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { undelivered.append($0) })
        var full = (0..<2).map { _ in broadcast.subscribe(buffering: .rendezvous) }
        let quick = broadcast.subscribe()
        let sent = await sender.send(1, to: broadcast) { !quick.isEmpty }
        full[0].cancel()
        // The optimiser of Swift 6.2 would release the other one before.
        withExtendedLifetime(full) { #expect(sent.outcome.all == []) }
        full = []
        #expect(await sent.end() == ["sent"])
        #expect(undelivered.all == [1, 1])
        #expect(broadcast.subscriberCount == 1)
    }

    /// A selection takes the element of a sender that waits.
    @Test func `a selection serves the sender`() async throws {
        let (broadcast, scheduler) = (CoBroadcast(of: Int.self), ManualScheduler())
        let (left, right) = (broadcast.subscribe(buffering: .rendezvous), broadcast.subscribe(buffering: .rendezvous))
        let sent = scheduler.coroutineFuture { try broadcast.awaitSend(1) }
        scheduler.run()
        let first = try await select(.receive(from: left) { "left \($0)" })
        let second = try await select(.receive(from: right) { "right \($0)" })
        #expect([first, second] == ["left 1", "right 1"])
        scheduler.run()
        try await sent.value
    }

    // MARK: The user's code

    /// The sender's coroutine waits for something else before it waits for the subscriber without room.
    @Test func `where an element is undelivered, code may wait while another subscriber has no room`() async throws {
        let (scheduler, gate) = (SerialScheduler(), CoSemaphore(permits: 0))
        let broadcast = CoBroadcast(of: Int.self, onUndelivered: { _ in try? gate.awaitAcquire() })
        let newest = broadcast.subscribe(buffering: .newest(capacity: 1))
        let direct = broadcast.subscribe(buffering: .rendezvous)
        let sender = scheduler.coroutineFuture {
            try broadcast.awaitSend(1)
            try broadcast.awaitSend(2)
        }
        let receiver = scheduler.coroutineFuture {
            let first = try direct.awaitReceive()
            try Coroutine.yield()
            gate.release()
            return [first, try direct.awaitReceive()]
        }
        #expect(try await receiver.value == [1, 2])
        try await sender.value
        #expect(newest.poll() == 2)
    }

    /// `onUndelivered` may use the broadcast.
    @Test func `the broadcast may be used where an element is undelivered`() {
        let broadcasts = Collected<CoBroadcast<Int>>()
        let undelivered = Collected<Int>()
        let broadcast = CoBroadcast(
            of: Int.self,
            onUndelivered: { element in
                undelivered.append(element)
                for broadcast in broadcasts.all where element < 10 { broadcast.offer(element + 10) }
            }
        )
        broadcasts.append(broadcast)
        let scheduler = ManualScheduler()
        let (full, newest) = (
            broadcast.subscribe(buffering: .rendezvous), broadcast.subscribe(buffering: .newest(capacity: 1))
        )
        let sender = scheduler.startCoroutine { try broadcast.awaitSend(1) }
        scheduler.run()
        sender.cancel()
        scheduler.run()
        // The cancelled one, and what was sent for it: dropped here, and there in place of the first.
        #expect(undelivered.all.sorted() == [1, 1, 11, 11, 11].sorted(), "\(undelivered.all)")
        #expect(self.drain(newest) == [11])
        broadcasts.removeAll()
        #expect(full.poll() == nil)
    }

    @Test(arguments: BroadcastSender.allCases)
    func `nothing is kept`(sender: BroadcastSender) async throws {
        let tracker = LifetimeTracker()
        for end in ["cancel", "close", "leave", "receive"] {
            let broadcast = CoBroadcast(of: LifetimeTracker.Token.self)
            let (full, quick) = (
                broadcast.subscribe(buffering: .rendezvous), broadcast.subscribe(buffering: .newest(capacity: 1))
            )
            let sent = await sender.send(tracker.token(), to: broadcast) { !quick.isEmpty }
            switch end {
            case "cancel": sent.cancel()
            case "close": broadcast.close()
            case "leave": full.cancel()
            default: await until { full.poll() != nil }
            }
            _ = await sent.end()
        }
        try await tracker.allReleased()
        #expect(tracker.made == 4)
    }
}
