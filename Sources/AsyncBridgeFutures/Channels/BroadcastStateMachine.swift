// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The decisions of a broadcast, and nothing else.
///
/// | State    | Holds                                             | Next   |
/// |----------|---------------------------------------------------|--------|
/// | `open`   | the subscribers, oldest first                     | closed |
/// | `closed` | none: each subscriber was handed out to be closed | none   |
///
/// In both it holds the current element, if the broadcast keeps one, and the number of drops.
///
/// Invariant: a subscriber leaves this machine once, to be closed or to be released.
package struct BroadcastStateMachine<Element, Subscriber> {
    private enum Stage {
        case open(BroadcastSubscribers<Subscriber>)
        case closed
    }

    private var stage = Stage.open(BroadcastSubscribers())
    package private(set) var current: Element?
    package private(set) var droppedCount = 0
    private let keepsCurrent: Bool

    /// - Parameter current: The first element; in a broadcast that keeps none, `nil`.
    package init(current: Element?) {
        self.current = current
        self.keepsCurrent = current != nil
    }

    package var isClosed: Bool {
        switch self.stage {
        case .open: false
        case .closed: true
        }
    }

    package var subscriberCount: Int {
        switch self.stage {
        case .open(let subscribers): subscribers.count
        case .closed: 0
        }
    }

    // MARK: Subscribers

    /// What the caller of ``subscribe(_:)`` does after it has left the lock.
    package enum SubscribeAction: Equatable {
        /// Remove the subscriber, by this key, when it leaves.
        case removeAtEnd(UInt64)
        /// Close the subscriber's channel.
        case close
    }

    /// A subscriber comes.
    package mutating func subscribe(_ subscriber: Subscriber) -> SubscribeAction {
        switch self.stage {
        case .open(var subscribers):
            // So that the subscribers are not copied.
            self.stage = .closed
            let key = subscribers.append(subscriber)
            self.stage = .open(subscribers)
            return .removeAtEnd(key)
        case .closed:
            return .close
        }
    }

    /// A subscriber has left.
    ///
    /// - Returns: The subscriber, to be released after the lock.
    package mutating func remove(_ key: UInt64) -> Subscriber? {
        switch self.stage {
        case .open(var subscribers):
            self.stage = .closed
            let subscriber = subscribers.remove(key)
            self.stage = .open(subscribers)
            return subscriber
        case .closed:
            return nil
        }
    }

    // MARK: Sending

    /// What the sender does.
    package enum SendAction {
        /// Offer the element to each subscriber, within the same lock; release the replaced element after it.
        case offer(replaced: Element?)
        /// Keep the element: the broadcast is closed.
        case refuse
    }

    /// An element is to be sent: it becomes the current one.
    package mutating func send(_ element: Element) -> SendAction {
        switch self.stage {
        case .open:
            guard self.keepsCurrent else { return .offer(replaced: nil) }
            let replaced = self.current
            self.current = element
            return .offer(replaced: replaced)
        case .closed:
            return .refuse
        }
    }

    /// Calls a closure with each subscriber, oldest first.
    ///
    /// - Complexity: O(*n*).
    package func forEachSubscriber(_ body: (Subscriber) -> Void) {
        switch self.stage {
        case .open(let subscribers): subscribers.forEach(body)
        case .closed: break
        }
    }

    /// Counts subscribers that had no room for an element that could not wait.
    package mutating func drop(_ count: Int) { self.droppedCount += count }

    // MARK: The end

    /// The broadcast is closed.
    ///
    /// - Returns: The subscribers, to be closed after the lock; nothing if it was closed before.
    package mutating func close() -> [Subscriber]? {
        switch self.stage {
        case .open(let subscribers):
            self.stage = .closed
            return subscribers.all
        case .closed:
            return nil
        }
    }
}
