// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// The lock around a broadcast's machine, and the actions that follow from its decisions.
///
/// An element is offered to all subscribers under this lock, and under each subscriber's in turn: so all of them see
/// the same order, and the last element is the current one.
package final class BroadcastStorage<Element: Sendable>: Sendable {
    private typealias Sender = CoChannel<Element>.Sender
    private typealias Waiter = BroadcastWaiter<Element>

    private let machine: Mutex<BroadcastStateMachine<Element, CoChannel<Element>.Sender>>
    private let onUndelivered: (@Sendable (sending Element) -> Void)?
    private let made: CallSite

    init(current: Element?, made: CallSite, onUndelivered: (@Sendable (sending Element) -> Void)?) {
        self.machine = Mutex(BroadcastStateMachine(current: current))
        self.made = made
        self.onUndelivered = onUndelivered
    }

    var current: Element? { self.machine.withLock { $0.current } }

    var subscriberCount: Int { self.machine.withLock { $0.subscriberCount } }

    var droppedCount: Int { self.machine.withLock { $0.droppedCount } }

    var isClosed: Bool { self.machine.withLock { $0.isClosed } }

    // MARK: Subscribers

    func subscribe(
        _ bufferType: CoChannel<Element>.BufferType,
        made: CallSite
    ) -> CoChannel<Element>.Receiver {
        let (channel, action) = self.machine.withLock { machine in
            // With the current value in it from the start: if sent later, it might come after a newer one.
            let channel = CoChannel(
                ChannelStorage(
                    bufferType,
                    first: machine.current.map { Disconnected(unchecked: $0) },
                    made: made,
                    onUndelivered: self.onUndelivered
                )
            )
            return (channel, machine.subscribe(channel.sender))
        }
        switch action {
        case .removeAtEnd(let key): channel.whenCanceled { [weak self] in self?.remove(key) }
        case .close: channel.close()
        }
        return channel.receiver
    }

    private func remove(_ key: UInt64) {
        releaseHere(self.machine.withLock { $0.remove(key) })
    }

    // MARK: Sending

    /// What is to be done after the lock.
    private struct Offer {
        /// Wake them: they have the element.
        var receivers: [ParkerReference] = []
        /// Give them to `onUndelivered`: newer elements have replaced them.
        var replaced: [Disconnected<Element>] = []
        /// The waiters in the queues of subscribers without room, and their tally.
        var waiters: [Waiter] = []
        var tally: BroadcastTally?
        /// Those waiters that were served or told of an end before they stayed.
        var settled: [Waiter] = []
        /// The number of subscribers that had no room for an element that does not wait.
        var dropped = 0
        /// Release it.
        var formerCurrent: Element?

        // `mayWait`: whether the element waits in the queue of a subscriber without room; otherwise it is dropped.
        mutating func add(_ element: Element, to storage: ChannelStorage<Element>, mayWait: Bool) {
            var waiter: Waiter?
            while true {
                switch storage.broadcast(Disconnected(unchecked: element), orEnlist: waiter?.waiter) {
                case .stored, .ended: return
                case .wake(let receiver): return self.receivers.append(receiver)
                case .dispose(let old): return self.replaced.append(old)
                case .refuse:
                    guard mayWait else { return self.dropped += 1 }
                    let tally = self.tally ?? BroadcastTally()
                    self.tally = tally
                    waiter = Waiter(in: storage, tally)
                case .suspend:
                    guard let waiter else { preconditionFailure("BUG: no waiter was enlisted") }
                    self.waiters.append(waiter)
                    if !waiter.stay() { self.settled.append(waiter) }
                    return
                case .cancelled: preconditionFailure("BUG: a new waiter was cancelled")
                }
            }
        }
    }

    /// Offers an element to all subscribers.
    ///
    /// - Returns: What is to be done; nothing if the broadcast is closed.
    // Never inlined: a sender in a coroutine parks after it (Scripts/check-thread-locals).
    @inline(never)
    private func offer(_ element: Element, mayWait: Bool) -> Offer? {
        self.machine.withLock { machine in
            switch machine.send(element) {
            case .refuse: return nil
            case .offer(let replaced):
                var offer = Offer()
                offer.formerCurrent = replaced
                machine.forEachSubscriber { offer.add(element, to: $0.storage, mayWait: mayWait) }
                machine.drop(offer.dropped)
                return offer
            }
        }
    }

    private func perform(_ offer: Offer, _ element: Element) {
        for receiver in offer.receivers { receiver.wake() }
        for waiter in offer.settled { waiter.unpark() }
        for element in offer.replaced { self.onUndelivered?(element.take()) }
        for _ in 0..<offer.dropped { self.onUndelivered?(element) }
    }

    /// Sends an element.
    ///
    /// - Returns: What to wait for, if anything.
    package func send(_ element: Element) throws(CoChannelError) -> BlockedBroadcast<Element>? {
        guard let offer = self.offer(element, mayWait: true) else { throw .closed }
        let (waiters, made) = (offer.waiters, self.made)
        let blocked = waiters.isEmpty ? nil : offer.tally.map { BlockedBroadcast($0, waiters, made: made) }
        self.perform(offer, element)
        return blocked
    }

    /// Sends an element to the subscribers that have room for it.
    ///
    /// - Returns: Whether all had room.
    func offer(_ element: Element) -> Bool {
        guard let offer = self.offer(element, mayWait: false) else { return false }
        self.perform(offer, element)
        return offer.dropped == 0
    }

    // MARK: The end

    func close() -> Bool {
        guard let subscribers = self.machine.withLock({ $0.close() }) else { return false }
        for subscriber in subscribers { subscriber.close() }
        return true
    }
}
