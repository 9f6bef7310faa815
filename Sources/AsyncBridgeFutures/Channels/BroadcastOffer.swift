// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// One element, offered to all subscribers under the broadcast's lock, and what is to be done after it.
///
/// What one subscriber needs is in these few words; the rest is in an object, which is made where it is needed.
@usableFromInline
struct BroadcastOffer<Element: Sendable> {
    /// Wake it: it has the element.
    @usableFromInline var receiver: ParkerReference?
    /// Give it to `onUndelivered`: the element has replaced it.
    @usableFromInline var replaced: Disconnected<Element>?
    /// How many subscribers the element was for.
    @usableFromInline var count = 0
    /// Release it.
    @usableFromInline var formerCurrent: Element?
    @usableFromInline var rest: BroadcastRest<Element>?

    @inlinable
    init() {}

    /// Whether the element was for no subscriber, and did not become the current element.
    @inlinable var isForNobody: Bool { self.count == (self.rest?.missed ?? 0) && self.formerCurrent == nil }

    /// The number of subscribers that had no room for an element that does not wait.
    @inlinable var dropped: Int { self.rest?.dropped ?? 0 }

    /// Offers the element to one subscriber.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - storage: The subscriber's channel.
    ///   - mayWait: Whether the element waits in the queue of a subscriber without room; otherwise it is dropped.
    @inlinable @inline(__always)
    mutating func add(_ element: Element, to storage: ChannelStorage<Element>, mayWait: Bool) {
        switch storage.broadcast(Disconnected(unchecked: element), orEnlist: nil) {
        case .stored: break
        case .wake(let receiver) where self.receiver == nil: self.receiver = receiver
        case .wake(let receiver): self.rest = BroadcastRest.adding(receiver: receiver, to: self.rest)
        case .dispose(let old) where self.replaced == nil: self.replaced = old
        case .dispose(let old): self.rest = BroadcastRest.adding(replaced: old, to: self.rest)
        case .refuse: self.rest = BroadcastRest.adding(element, in: storage, mayWait: mayWait, to: self.rest)
        // It is about to leave.
        case .ended: return
        case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
        }
        self.count += 1
    }
}

/// What is to be done for several subscribers, or for one without room.
///
/// Safe: made and changed under the broadcast's lock, and then used by one sender.
@usableFromInline
final class BroadcastRest<Element: Sendable>: @unchecked Sendable {
    /// Wake them, too.
    private var receivers: [ParkerReference] = []
    /// Give them to `onUndelivered`, too.
    private var replaced: [Disconnected<Element>] = []
    /// The waiters in the queues of subscribers without room, and their tally.
    private var waiters: [BroadcastWaiter<Element>] = []
    private let tally = BroadcastTally()
    /// Those of them that were served or told of an end before they stayed.
    private var settled: [BroadcastWaiter<Element>] = []
    /// The number of subscribers that had no room for an element that does not wait.
    @usableFromInline private(set) var dropped = 0
    /// The number of subscribers that turned out to be leaving.
    @usableFromInline private(set) var missed = 0

    // MARK: Under the lock

    @usableFromInline
    static func adding(receiver: ParkerReference, to rest: BroadcastRest?) -> BroadcastRest {
        let rest = rest ?? BroadcastRest()
        rest.receivers.append(receiver)
        return rest
    }

    @usableFromInline
    static func adding(replaced element: Disconnected<Element>, to rest: BroadcastRest?) -> BroadcastRest {
        let rest = rest ?? BroadcastRest()
        rest.replaced.append(element)
        return rest
    }

    /// The subscriber has no room.
    @usableFromInline
    static func adding(
        _ element: Element,
        in storage: ChannelStorage<Element>,
        mayWait: Bool,
        to rest: BroadcastRest?
    ) -> BroadcastRest {
        let rest = rest ?? BroadcastRest()
        if mayWait { rest.enlist(element, in: storage) } else { rest.dropped += 1 }
        return rest
    }

    private func enlist(_ element: Element, in storage: ChannelStorage<Element>) {
        let waiter = BroadcastWaiter(in: storage, self.tally)
        // Race: a receiver may have made room since.
        switch storage.broadcast(Disconnected(unchecked: element), orEnlist: waiter.waiter) {
        case .stored: break
        case .ended: self.missed += 1
        case .wake(let receiver): self.receivers.append(receiver)
        case .dispose(let old): self.replaced.append(old)
        case .suspend:
            self.waiters.append(waiter)
            if !waiter.stay() { self.settled.append(waiter) }
        case .refuse, .cancelled: preconditionFailure("BUG: a new waiter was not enlisted")
        }
    }

    // MARK: After the lock

    /// What the sender waits for, if anything.
    @usableFromInline
    func blocked(in broadcast: BroadcastStorage<Element>) -> BlockedBroadcast<Element>? {
        self.waiters.isEmpty ? nil : BlockedBroadcast(self.tally, self.waiters, in: broadcast)
    }

    @usableFromInline
    func wake() {
        for receiver in self.receivers { receiver.wake() }
        for waiter in self.settled { waiter.unpark() }
    }

    @usableFromInline
    func dispose(_ element: Element, by onUndelivered: @Sendable (sending Element) -> Void) {
        for element in self.replaced { onUndelivered(element.take()) }
        for _ in 0..<self.dropped { onUndelivered(element) }
    }
}
