// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How a broadcast ended.
@usableFromInline
package enum BroadcastEnd: Sendable {
    /// It was closed: subscribers receive what is in their buffers.
    case closed
    /// It was closed with an error; likewise.
    case failed(any Error)
    /// It was cancelled: what is in the buffers of subscribers is undelivered.
    case cancelled
}

/// The decisions of a broadcast, and nothing else.
///
/// | State                | Holds                                                | Next                          |
/// |----------------------|------------------------------------------------------|-------------------------------|
/// | open                 | the subscribers, oldest first                        | closed or failed, cancelled   |
/// | `closed` or `failed` | those that may still receive what is in their buffers | cancelled                    |
/// | `cancelled`          | none: each subscriber was handed out                 | none                          |
///
/// In each but the last it holds the current element, if the broadcast keeps one, and in all the number of drops.
///
/// Invariant: what leaves this machine, subscribers and elements, is ended and released after the lock.
@usableFromInline
package struct BroadcastStateMachine<Element, Subscriber> {
    @usableFromInline package private(set) var end: BroadcastEnd?
    /// The end that all who waited were told of: a broadcast that was closed can still be cancelled.
    package private(set) var firstEnd: BroadcastEnd?
    @usableFromInline var subscribers = BroadcastSubscribers<Subscriber>()
    @usableFromInline package var current: Element?
    package private(set) var droppedCount = 0
    @usableFromInline let keepsCurrent: Bool

    /// - Parameter current: The first element; in a broadcast that keeps none, `nil`.
    package init(current: Element?) {
        self.current = current
        self.keepsCurrent = current != nil
    }

    package var subscriberCount: Int { self.end == nil ? self.subscribers.count : 0 }

    // MARK: Subscribers

    /// What the caller of ``subscribe(_:)`` does after it has left the lock.
    package enum SubscribeAction {
        /// Remove the subscriber, by this key, when it leaves.
        case removeAtEnd(UInt64)
        /// End the subscriber's channel like the broadcast, and remove it, by this key, when it leaves.
        case close(BroadcastEnd, removeAtEnd: UInt64)
        /// Cancel the subscriber's channel.
        case cancel
    }

    /// A subscriber comes.
    package mutating func subscribe(_ subscriber: Subscriber) -> SubscribeAction {
        switch self.end {
        case nil: .removeAtEnd(self.subscribers.append(subscriber))
        // It may have got the current element, and can still be cancelled.
        case .closed?: .close(.closed, removeAtEnd: self.subscribers.append(subscriber))
        case .failed(let error)?: .close(.failed(error), removeAtEnd: self.subscribers.append(subscriber))
        case .cancelled?: .cancel
        }
    }

    /// A subscriber has left.
    ///
    /// - Returns: The subscriber, to be released after the lock.
    package mutating func remove(_ key: UInt64) -> Subscriber? { self.subscribers.remove(key) }

    // MARK: Sending

    /// What the sender does.
    @usableFromInline
    package enum SendAction {
        /// Offer the element to each subscriber, within the same lock; release the replaced element after it.
        case offer(replaced: Element?)
        /// Keep the element: the broadcast has ended.
        case refuse(BroadcastEnd)
    }

    /// An element is to be sent: it becomes the current one.
    @inlinable
    package mutating func send(_ element: Element) -> SendAction {
        if let end = self.end { return .refuse(end) }
        guard self.keepsCurrent else { return .offer(replaced: nil) }
        let replaced = self.current
        self.current = element
        return .offer(replaced: replaced)
    }

    /// Calls a closure with each subscriber, oldest first.
    ///
    /// - Complexity: O(*n*).
    @inlinable
    package func forEachSubscriber(_ body: (Subscriber) -> Void) { self.subscribers.forEach(body) }

    /// Counts subscribers that had no room for an element that could not wait.
    @usableFromInline
    package mutating func drop(_ count: Int) { self.droppedCount += count }

    // MARK: The end

    /// What is to be done after the lock when a broadcast has ended.
    package struct Ending {
        /// End their channels.
        package let subscribers: [Subscriber]
        /// Release it.
        package let current: Element?
    }

    /// The broadcast ends.
    ///
    /// - Returns: Nothing if it had ended before.
    package mutating func finish(_ end: BroadcastEnd) -> Ending? {
        let ending: Ending
        switch (self.end, end) {
        case (nil, .closed), (nil, .failed):
            ending = Ending(subscribers: self.subscribers.all, current: nil)
        case (nil, .cancelled), (.closed?, .cancelled), (.failed?, .cancelled):
            ending = Ending(subscribers: self.subscribers.all, current: self.current.take())
            self.subscribers = BroadcastSubscribers()
        case (.closed?, _), (.failed?, _), (.cancelled?, _):
            return nil
        }
        if self.firstEnd == nil { self.firstEnd = end }
        self.end = end
        return ending
    }
}
