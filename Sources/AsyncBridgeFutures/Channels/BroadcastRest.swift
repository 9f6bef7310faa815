// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// What is to be done for several subscribers, or for one without room.
///
/// Safe: made and changed under the broadcast's lock, and then used by one sender.
@usableFromInline
final class BroadcastRest<Element: Sendable>: @unchecked Sendable {
    /// Wake them, too.
    private var receivers: [ParkerReference] = []
    /// Give them to `onUndelivered`, too.
    private var replaced: [Element] = []
    /// End them: they have no room, and their policy is to fail.
    private var overflowing: [ChannelStorage<Element>] = []
    /// The waiters in the queues of subscribers without room, and their tally.
    private var waiters: [BroadcastWaiter<Element>] = []
    private let tally = BroadcastTally()
    /// Those of them that were served or told of an end before they stayed.
    private var settled: [BroadcastWaiter<Element>] = []
    /// The number of subscribers that had no room for an element that does not wait.
    @usableFromInline private(set) var dropped = 0
    /// What the sender waits for, if anything.
    @usableFromInline private(set) var blocked: BlockedBroadcast<Element>?
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
    static func adding(replaced element: Element, to rest: BroadcastRest?) -> BroadcastRest {
        let rest = rest ?? BroadcastRest()
        rest.replaced.append(element)
        return rest
    }

    /// The subscriber has no room, and its policy is to fail.
    @usableFromInline
    static func adding(overflowing storage: ChannelStorage<Element>, to rest: BroadcastRest?) -> BroadcastRest {
        let rest = rest ?? BroadcastRest()
        rest.overflowing.append(storage)
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
        case .dispose(let old): self.replaced.append(old.take())
        case .suspend:
            self.waiters.append(waiter)
            if !waiter.stay() { self.settled.append(waiter) }
        case .refuse, .cancelled, .overflow: preconditionFailure("BUG: a new waiter was not enlisted")
        }
    }

    // MARK: After the lock

    /// The element was offered to all.
    ///
    /// Called before the rest: the last of them may be settled by what follows.
    @usableFromInline
    func begin(in broadcast: BroadcastStorage<Element>) {
        if !self.waiters.isEmpty { self.blocked = BlockedBroadcast(self.tally, self.waiters, in: broadcast) }
    }

    @usableFromInline
    func wake() {
        for receiver in self.receivers { receiver.wake() }
        for waiter in self.settled { waiter.unpark() }
        for storage in self.overflowing { _ = storage.overflow() }
    }

    @usableFromInline
    func dispose(_ element: Element, by onUndelivered: @Sendable (sending Element) -> Void) {
        for element in self.replaced { onUndelivered(element) }
        for _ in 0..<(self.dropped + self.overflowing.count) { onUndelivered(element) }
    }
}
