// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// The decisions of a channel, and nothing else.
///
/// | State  | Holds                                          | Next    |
/// |--------|------------------------------------------------|---------|
/// | open   | elements, or waiting receivers; waiting senders | ended   |
/// | ended  | the elements that may still be received         | ended, if it is cancelled after it was closed |
///
/// Invariants: a receiver waits only while there are no elements and no senders; a sender waits only while the buffer
/// is full. A claimed waiter has got an element, has given one away, or has been told of the end: nothing is handed to
/// two waiters, or to none. Elements leave in the order in which they came. A waiting sender's slot holds its element;
/// a waiting receiver's slot has room for one.
@usableFromInline
package struct ChannelStateMachine<Element>: ~Copyable {
    @usableFromInline package var buffer = RingBuffer<Element>()
    /// The number of elements that may wait in the channel.
    @usableFromInline package let capacity: Int
    /// What a full channel does with one more element.
    @usableFromInline package let overflow: BufferingPolicy.Overflow
    @usableFromInline package var receivers = WaiterQueue()
    @usableFromInline package var senders = WaiterQueue()
    @usableFromInline package var end: ChannelEnd?
    /// The end that all who waited were told of: a channel that was closed can still be cancelled.
    package private(set) var firstEnd: ChannelEnd?
    /// The error of an end that is `failed`.
    package private(set) var failure: (any Error)?
    /// The error of an end that is `refused`, which may come after a failure.
    package private(set) var refusal: (any Error)?
    private var observers: [(observer: Observer, ofCancellation: Bool)] = []

    /// Is called at the end.
    @usableFromInline package typealias Observer = @Sendable (ChannelEnd?) -> Void

    @usableFromInline
    package init(capacity: Int, overflow: BufferingPolicy.Overflow = .keep) {
        self.capacity = capacity
        self.overflow = overflow
    }

    // MARK: Sending

    /// What the sender does after it has left the lock.
    @usableFromInline
    package enum SendAction {
        /// Nothing: the element waits in the channel.
        case stored
        /// Wake the receiver that got the element.
        case wake(ParkerReference)
        /// Dispose of this element, which was replaced or is dropped.
        case dispose(Element)
        /// Keep the element: there is no room, and no receiver to take it.
        case refuse
        /// Keep the element, and end the channel: there is no room, and the policy is to fail.
        case overflow
        /// Suspend: the waiter is enlisted, and keeps the element.
        case suspend
        /// Keep the element: the sender was cancelled.
        case cancelled
        /// Keep the element: the channel has ended.
        case ended(ChannelEnd)
    }

    /// An element is to be sent.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - waiter: The waiter to enlist if there is no room; none if `nil`. Its slot gets the element.
    /// - Returns: What the sender does.
    @inlinable
    package mutating func send(_ element: Element, orEnlist waiter: WaiterReference?) -> SendAction {
        if let end = self.end { return .ended(end) }
        if let receiver = self.receivers.claimFirst() {
            receiver.fill(with: element)
            receiver.outcome = .done
            return .wake(receiver.parker)
        }
        if self.buffer.count < self.capacity {
            self.buffer.append(element)
            return .stored
        }
        return self.sendWhenFull(element, orEnlist: waiter)
    }

    @inlinable
    mutating func sendWhenFull(_ element: Element, orEnlist waiter: WaiterReference?) -> SendAction {
        switch self.overflow {
        case .keep:
            guard let waiter else { return .refuse }
            guard waiter.parker.begin() else { return .cancelled }
            self.senders.append(waiter)
            waiter.fill(with: element)
            return .suspend
        case .dropOldest:
            self.buffer.append(element)
            // Not empty: an element was appended.
            guard let oldest = self.buffer.popFirst() else { preconditionFailure("BUG: a full channel was empty") }
            return .dispose(oldest)
        case .dropNewest:
            return .dispose(element)
        case .fail:
            return .overflow
        }
    }

    // MARK: Receiving

    /// What the receiver does after it has left the lock.
    @usableFromInline
    package enum ReceiveAction {
        /// Take the element, and wake the sender for which there is room now.
        case take(Element, wake: ParkerReference?)
        /// Return: there is no element.
        case refuse
        /// Suspend: the waiter is enlisted.
        case suspend
        /// Return: the receiver was cancelled.
        case cancelled
        /// Return: there will be no element.
        case ended(ChannelEnd)
    }

    /// An element is to be received.
    ///
    /// - Parameter waiter: The waiter to enlist if there is none, with room for it in its slot; none if `nil`.
    /// - Returns: What the receiver does.
    @inlinable
    package mutating func receive(orEnlist waiter: WaiterReference?) -> ReceiveAction {
        if let element = self.buffer.popFirst() {
            guard let sender = self.senders.claimFirst() else { return .take(element, wake: nil) }
            self.buffer.append(Self.accept(sender))
            return .take(element, wake: sender.parker)
        }
        if let sender = self.senders.claimFirst() { return .take(Self.accept(sender), wake: sender.parker) }
        if let end = self.end { return .ended(end) }
        guard let waiter else { return .refuse }
        guard waiter.parker.begin() else { return .cancelled }
        self.receivers.append(waiter)
        return .suspend
    }

    @inlinable
    package static func accept(_ sender: WaiterReference) -> Element {
        sender.outcome = .done
        return sender.empty()
    }

    // MARK: Selections

    /// A waiter of a selection waits for an element, whose parker has begun to wait already.
    ///
    /// The selection has asked under the same lock: there is none.
    @inlinable
    package mutating func enterBegun(receiver waiter: WaiterReference) { self.receivers.append(waiter) }

    /// A waiter of a selection waits for room, whose parker has begun to wait already; likewise.
    ///
    /// - Parameters:
    ///   - waiter: The waiter.
    ///   - element: What it sends, which its slot gets.
    @inlinable
    package mutating func enterBegun(sender waiter: WaiterReference, with element: Element) {
        waiter.fill(with: element)
        self.senders.append(waiter)
    }

    // MARK: Leaving

    /// A receiver has stopped waiting without having been claimed.
    @usableFromInline
    package mutating func leave(receiver waiter: WaiterReference) { self.receivers.remove(waiter) }

    /// A sender has stopped waiting without having been claimed.
    @usableFromInline
    package mutating func leave(sender waiter: WaiterReference) { self.senders.remove(waiter) }

    // MARK: The end

    /// What is to be done after the lock when a channel has ended.
    @usableFromInline
    package struct Ending {
        /// Wake them: they have been told.
        package var waiting: [ParkerReference] = []
        /// Dispose of them.
        package var undelivered: [Element] = []
        /// Call them.
        package var observers: [Observer] = []
    }

    /// The channel ends.
    ///
    /// - Parameters:
    ///   - end: How.
    ///   - failure: The error, if it is `failed` or `refused`.
    /// - Returns: Nothing if it had ended before.
    @usableFromInline
    package mutating func finish(_ end: ChannelEnd, failure: (any Error)? = nil) -> Ending? {
        switch (self.end, end) {
        case (nil, _): break
        // Elements that nobody will receive are disposed of now; the observers have already been told.
        case (let before?, _) where before.keepsElements && !end.keepsElements: break
        case (_?, _): return nil
        }
        if self.firstEnd == nil { self.firstEnd = end }
        self.end = end
        if case .refused = end { self.refusal = failure } else if let failure { self.failure = failure }
        var ending = Ending()
        while let waiter = self.receivers.claimFirst() {
            waiter.outcome = .ended
            ending.waiting.append(waiter.parker)
        }
        while let waiter = self.senders.claimFirst() {
            waiter.outcome = .ended
            ending.waiting.append(waiter.parker)
        }
        if !end.keepsElements { ending.undelivered = self.buffer.removeAll() }
        // A channel that is closed can still be cancelled.
        let called = self.observers.filter { !end.keepsElements || !$0.ofCancellation }
        if end.keepsElements { self.observers.removeAll { !$0.ofCancellation } } else { self.observers = [] }
        ending.observers = called.map(\.observer)
        return ending
    }

    /// An observer wants to know of the end, or only of an end at which elements are given up.
    ///
    /// - Returns: How it ended, if it has: then the caller must call the observer.
    package mutating func observe(_ observer: @escaping Observer, ofCancellation: Bool = false) -> ChannelEnd? {
        if let end = self.end, !(ofCancellation && end.keepsElements) { return end }
        self.observers.append((observer, ofCancellation))
        return nil
    }

    /// The channel is released; nothing waits in it, because a waiter keeps it alive.
    ///
    /// - Returns: What remains to be called and disposed of.
    package mutating func goAway() -> Ending { self.finish(.cancelled) ?? Ending() }
}
