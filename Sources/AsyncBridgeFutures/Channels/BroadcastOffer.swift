// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// One element, offered to all subscribers under the broadcast's lock, and what is to be done after it.
@usableFromInline
struct BroadcastOffer<Element: Sendable> {
    /// Wake them: they have the element.
    @usableFromInline var receivers = Few<ParkerReference>()
    /// Give them to `onUndelivered`: newer elements have replaced them.
    @usableFromInline var replaced = Few<Disconnected<Element>>()
    /// How many subscribers the element was for.
    @usableFromInline var count = 0
    /// Release it.
    @usableFromInline var formerCurrent: Element?
    /// The subscribers that had no room.
    @usableFromInline var blocked: Blocked?

    /// What is to be done for subscribers without room.
    @usableFromInline
    struct Blocked {
        let tally = BroadcastTally()
        /// The waiters in their queues.
        var waiters: [BroadcastWaiter<Element>] = []
        /// Those of them that were served or told of an end before they stayed.
        var settled: [BroadcastWaiter<Element>] = []
        /// The number of subscribers that had no room for an element that does not wait.
        @usableFromInline var dropped = 0
    }

    @inlinable
    init() {}

    /// Offers the element to one subscriber.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - storage: The subscriber's channel.
    ///   - mayWait: Whether the element waits in the queue of a subscriber without room; otherwise it is dropped.
    @inlinable @inline(__always)
    mutating func add(_ element: Element, to storage: ChannelStorage<Element>, mayWait: Bool) {
        self.count += 1
        switch storage.broadcast(Disconnected(unchecked: element), orEnlist: nil) {
        case .stored: break
        case .wake(let receiver): self.receivers.append(receiver)
        case .dispose(let old): self.replaced.append(old)
        case .refuse: self.block(element, in: storage, mayWait: mayWait)
        // It is about to leave.
        case .ended: self.count -= 1
        case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
        }
    }

    /// The subscriber has no room.
    @usableFromInline
    mutating func block(_ element: Element, in storage: ChannelStorage<Element>, mayWait: Bool) {
        var blocked = self.blocked ?? Blocked()
        defer { self.blocked = blocked }
        guard mayWait else { return blocked.dropped += 1 }
        let waiter = BroadcastWaiter(in: storage, blocked.tally)
        // Race: a receiver may have made room since.
        switch storage.broadcast(Disconnected(unchecked: element), orEnlist: waiter.waiter) {
        case .stored: break
        case .wake(let receiver): self.receivers.append(receiver)
        case .dispose(let old): self.replaced.append(old)
        case .suspend:
            blocked.waiters.append(waiter)
            if !waiter.stay() { blocked.settled.append(waiter) }
        case .ended: self.count -= 1
        case .refuse, .cancelled: preconditionFailure("BUG: a new waiter was not enlisted")
        }
    }
}

/// A list that allocates nothing for its first element.
@usableFromInline
struct Few<Element> {
    @usableFromInline var first: Element?
    @usableFromInline var others: [Element] = []

    @inlinable
    init() {}

    @inlinable
    mutating func append(_ element: Element) {
        if self.first == nil { self.first = element } else { self.others.append(element) }
    }

    @inlinable
    func forEach(_ body: (Element) -> Void) {
        guard let first = self.first else { return }
        body(first)
        for element in self.others { body(element) }
    }
}
