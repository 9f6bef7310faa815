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
    @usableFromInline typealias Machine = BroadcastStateMachine<Element, BroadcastSubscriber<Element>>

    @usableFromInline let machine: ManualMutex<Machine>
    @usableFromInline let onUndelivered: (@Sendable (sending Element) -> Void)?
    @usableFromInline package let made: CallSite

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

    /// The error of a send that the end of the broadcast has cut short: another end may have come before its code ran
    /// again.
    @inline(never)
    var endError: any Error { (self.machine.withLock { $0.firstEnd } ?? .closed).error }

    // MARK: Subscribers

    func subscribe(
        _ buffering: BufferingPolicy,
        made: CallSite
    ) -> CoChannel<Element>.Receiver {
        let (channel, action) = self.machine.withLock { machine in
            // With the current value in it from the start: if sent later, it might come after a newer one.
            let channel = CoChannel(
                ChannelStorage(
                    buffering,
                    first: machine.current.map { Disconnected(unchecked: $0) },
                    made: made,
                    onUndelivered: self.onUndelivered
                )
            )
            return (channel, machine.subscribe(BroadcastSubscriber(channel.sender)))
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
        channel.whenCancelled { [weak self] in self?.remove(key) }
    }

    private func remove(_ key: UInt64) {
        releaseHere(self.machine.withLock { $0.remove(key) })
    }

    // MARK: Sending

    /// Offers an element to all subscribers, and does what follows from that.
    ///
    /// What one subscriber needs is in variables; the rest is in an object, which is made where it is needed.
    ///
    /// If the element waits for one subscriber, and nothing else is to be done, the sender itself waits in that
    /// subscriber's queue, as in a channel's: that needs no object. No user code may run between that and its park.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - mayWait: Whether the element waits in the queue of a subscriber without room; otherwise it is dropped.
    ///   - sender: Makes a waiter of the sender, whose slot gets the element; called once at most.
    /// - Returns: What is left for the sender to do.
    /// - Throws: The error with which the broadcast has ended.
    // Never inlined: a sender in a coroutine parks after it (Scripts/check-thread-locals).
    @inlinable @inline(never)
    func distribute(
        _ element: Element,
        mayWait: Bool,
        orEnlist sender: () -> WaiterReference? = { nil }
    ) throws -> BroadcastOutcome<Element> {
        // The receiver that got the element; the elements that it has replaced, at the subscriber and as the current
        // one; the number of subscribers that it was for; the first one without room.
        var receiver: ParkerReference?
        var (replaced, formerCurrent): (Element?, Element?)
        var count = 0
        var full: ChannelStorage<Element>?
        var rest: BroadcastRest<Element>?
        var outcome = BroadcastOutcome<Element>.sent

        self.machine.lock()
        let end = self.machine.whileLocked { machine -> BroadcastEnd? in
            switch machine.send(element) {
            case .refuse(let end): return end
            case .offer(let replaced): formerCurrent = replaced
            }
            machine.forEachSubscriber { subscriber in
                count += 1
                switch subscriber.broadcast(Disconnected(unchecked: element)) {
                case .stored: break
                case .wake(let woken):
                    if receiver == nil { receiver = woken } else { rest = .adding(receiver: woken, to: rest) }
                case .dispose(let old):
                    if replaced == nil { replaced = old.take() } else { rest = .adding(replaced: old.take(), to: rest) }
                case .refuse where full == nil: full = subscriber.storage
                case .refuse: rest = .adding(element, in: subscriber.storage, mayWait: mayWait, to: rest)
                case .overflow: rest = .adding(overflowing: subscriber.storage, to: rest)
                // It is about to leave.
                case .ended: count -= 1
                case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
                }
            }
            if let storage = full {
                let isAlone = receiver == nil && replaced == nil && formerCurrent == nil && rest == nil
                guard mayWait, isAlone, let waiter = sender() else {
                    rest = .adding(element, in: storage, mayWait: mayWait, to: rest)
                    if let rest, rest.dropped > 0 { machine.drop(rest.dropped) }
                    return nil
                }
                // Race: a receiver may have made room since.
                switch storage.broadcast(Disconnected(unchecked: element), orEnlist: waiter) {
                case .stored: break
                case .ended: count -= 1
                case .wake(let woken): receiver = woken
                case .dispose(let old): replaced = old.take()
                case .suspend: outcome = .enlisted(storage)
                case .cancelled: outcome = .cancelled
                case .refuse, .overflow: preconditionFailure("BUG: a sender's waiter was not enlisted")
                }
            }
            return nil
        }
        self.machine.unlock()

        if let end { throw self.error(for: end) }
        if case .enlisted = outcome { return outcome }
        if let rest {
            rest.begin(in: self)
            outcome = .rest(rest)
        }
        if let receiver { receiver.wake() }
        if let rest { rest.wake() }
        guard let onUndelivered = self.onUndelivered else { return outcome }
        if let replaced { onUndelivered(replaced) }
        if let rest { rest.dispose(element, by: onUndelivered) }
        // For no subscriber, and not the current element: nobody will receive it.
        if count == rest?.missed ?? 0, formerCurrent == nil { onUndelivered(element) }
        return outcome
    }

    @usableFromInline
    func error(for end: BroadcastEnd) -> any Error { end.error }

    /// Sends an element.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - sender: As in ``distribute(_:mayWait:orEnlist:)``.
    /// - Returns: What to wait for, if anything.
    /// - Throws: The error with which the broadcast has ended, or `CancellationError` if the waiter's parker was
    ///   cancelled; the element is undelivered then.
    @inlinable
    package func send(
        _ element: Element,
        orEnlist sender: () -> WaiterReference? = { nil }
    ) throws -> BroadcastWait<Element>? {
        do {
            switch try self.distribute(element, mayWait: true, orEnlist: sender) {
            case .sent: return nil
            case .rest(let rest): return rest.blocked.map { .several($0) }
            case .enlisted(let subscriber): return .one(subscriber)
            case .cancelled: throw CancellationError()
            }
        } catch {
            self.onUndelivered?(element)
            throw error
        }
    }

    /// The sender's wait in the queue of one subscriber is over.
    ///
    /// - Parameters:
    ///   - waiter: The sender's waiter, which leaves the queue.
    ///   - subscriber: The subscriber.
    ///   - element: The element.
    /// - Returns: The error for the sender, if any. Without a subscriber that has the element, it is undelivered.
    @inlinable
    package func end(
        _ waiter: WaiterReference,
        at subscriber: ChannelStorage<Element>,
        _ element: Element
    ) -> (any Error)? {
        switch subscriber.sent(waiter) {
        case .sent:
            return nil
        case .ended(let end):
            self.onUndelivered?(element)
            return self.error(forEndOfSubscriber: end)
        case .cancelled:
            self.onUndelivered?(element)
            return CancellationError()
        case .refused:
            preconditionFailure("BUG: a sender that waited was refused")
        }
    }

    /// The error of a send to a subscriber whose channel has ended: none if the subscriber has left.
    @usableFromInline
    func error(forEndOfSubscriber end: ChannelEnd) -> (any Error)? { end.isOfBroadcast ? self.endError : nil }

    /// Sends an element to the subscribers that have room for it.
    ///
    /// - Returns: Whether all had room.
    @inlinable
    func offer(_ element: Element) -> Bool {
        do {
            switch try self.distribute(element, mayWait: false) {
            case .sent: return true
            case .rest(let rest): return rest.dropped == 0
            case .enlisted, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
            }
        } catch { return false }
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

/// What an element that was offered to all subscribers has left to do.
@usableFromInline
enum BroadcastOutcome<Element: Sendable> {
    /// Nothing: the subscribers have it, or it was dropped.
    case sent
    /// What several subscribers need.
    case rest(BroadcastRest<Element>)
    /// The sender parks: its waiter is in the queue of this subscriber, the only one without room.
    case enlisted(ChannelStorage<Element>)
    /// Nothing: the sender was cancelled, and so not enlisted at the only subscriber without room.
    case cancelled
}

/// What a sender waits for.
@usableFromInline
package enum BroadcastWait<Element: Sendable> {
    /// Its own waiter is in the queue of this subscriber.
    case one(ChannelStorage<Element>)
    /// The subscribers that the object counts.
    case several(BlockedBroadcast<Element>)
}
