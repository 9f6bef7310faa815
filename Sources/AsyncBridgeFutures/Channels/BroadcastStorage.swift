// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// The lock around a broadcast's machine, and the actions that follow from its decisions.
///
/// An element is offered to all subscribers under this lock, and under each subscriber's in turn: so all of them see
/// the same order, and the last element is the current one.
///
/// What runs for each element is inlinable, so that it is specialised in the user's module.
@usableFromInline
package final class BroadcastStorage<Element: Sendable>: Sendable {
    @usableFromInline typealias Machine = BroadcastStateMachine<Element, CoChannel<Element>.Sender>

    @usableFromInline let machine: ManualMutex<Machine>
    @usableFromInline let onUndelivered: (@Sendable (sending Element) -> Void)?
    let made: CallSite

    init(current: Element?, made: CallSite, onUndelivered: (@Sendable (sending Element) -> Void)?) {
        self.machine = ManualMutex(BroadcastStateMachine(current: current))
        self.made = made
        self.onUndelivered = onUndelivered
    }

    var current: Element? { self.machine.withLock { $0.current } }

    var subscriberCount: Int { self.machine.withLock { $0.subscriberCount } }

    var droppedCount: Int { self.machine.withLock { $0.droppedCount } }

    // Never inlined, like everything here that locks and may be called on both sides of a wait
    // (Scripts/check-thread-locals).
    @inline(never)
    var end: BroadcastEnd? { self.machine.withLock { $0.end } }

    /// The error of a send that the end of the broadcast has cut short.
    var endError: any Error { (self.end ?? .closed).error }

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
        case .removeAtEnd(let key):
            self.removeAtEnd(key, channel)
        case .close(let end, removeAtEnd: let key):
            Self.end(channel.storage, end)
            self.removeAtEnd(key, channel)
        case .cancel:
            Self.end(channel.storage, .cancelled)
        }
        return channel.receiver
    }

    private func removeAtEnd(_ key: UInt64, _ channel: CoChannel<Element>) {
        channel.whenCanceled { [weak self] in self?.remove(key) }
    }

    private func remove(_ key: UInt64) {
        releaseHere(self.machine.withLock { $0.remove(key) })
    }

    // MARK: Sending

    /// Offers an element to all subscribers.
    ///
    /// - Returns: What is to be done.
    /// - Throws: The error with which the broadcast has ended.
    // Never inlined: a sender in a coroutine parks after it (Scripts/check-thread-locals).
    @inlinable @inline(never)
    func offer(_ element: Element, mayWait: Bool) throws -> BroadcastOffer<Element> {
        var offer = BroadcastOffer<Element>()
        self.machine.lock()
        let end = self.machine.whileLocked { machine -> BroadcastEnd? in
            switch machine.send(element) {
            case .refuse(let end): return end
            case .offer(let replaced):
                offer.formerCurrent = replaced
                machine.forEachSubscriber { offer.add(element, to: $0.storage, mayWait: mayWait) }
                if offer.dropped > 0 { machine.drop(offer.dropped) }
                return nil
            }
        }
        self.machine.unlock()
        if let end { throw self.error(for: end) }
        return offer
    }

    @usableFromInline
    func error(for end: BroadcastEnd) -> any Error { end.error }

    @inlinable
    func perform(_ offer: borrowing BroadcastOffer<Element>, _ element: Element) {
        if let receiver = offer.receiver { receiver.wake() }
        if let rest = offer.rest { rest.wake() }
        guard let onUndelivered = self.onUndelivered else { return }
        if let old = offer.replaced { onUndelivered(old.take()) }
        if let rest = offer.rest { rest.dispose(element, by: onUndelivered) }
        if offer.isForNobody { onUndelivered(element) }
    }

    /// Sends an element.
    ///
    /// - Returns: What to wait for, if anything.
    /// - Throws: The error with which the broadcast has ended; the element is undelivered then.
    @inlinable
    package func send(_ element: Element) throws -> BlockedBroadcast<Element>? {
        let offer: BroadcastOffer<Element>
        do { offer = try self.offer(element, mayWait: true) } catch {
            self.onUndelivered?(element)
            throw error
        }
        // First: the last of them may be settled by what follows.
        let blocked = offer.rest?.blocked(in: self)
        self.perform(offer, element)
        return blocked
    }

    /// Sends an element to the subscribers that have room for it.
    ///
    /// - Returns: Whether all had room.
    @inlinable
    func offer(_ element: Element) -> Bool {
        guard let offer = try? self.offer(element, mayWait: false) else { return false }
        self.perform(offer, element)
        return offer.dropped == 0
    }

    // MARK: The end

    /// - Returns: Whether this was the end.
    func finish(_ end: BroadcastEnd) -> Bool {
        guard let ending = self.machine.withLock({ $0.finish(end) }) else { return false }
        for subscriber in ending.subscribers { Self.end(subscriber.storage, end) }
        return true
    }

    private static func end(_ subscriber: ChannelStorage<Element>, _ end: BroadcastEnd) {
        subscriber.finish(ChannelEnd(end), failure: end.error)
    }
}
