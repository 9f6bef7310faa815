// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The decisions of a semaphore, and nothing else.
///
/// | State   | Holds                | Next               |
/// |---------|----------------------|--------------------|
/// | free    | permits              | free, taken        |
/// | taken   | those who wait       | taken, free        |
///
/// Invariant: nobody waits while there are permits; a permit goes to one party.
struct SemaphoreStateMachine: ~Copyable {
    private(set) var permits: Int
    private var queue = WaiterQueue()

    init(permits: Int) { self.permits = permits }

    /// What the party does after it has left the lock.
    enum AcquireAction {
        /// Go on: it has a permit.
        case proceed
        /// Go away: there is none.
        case refuse
        /// Suspend: it is enlisted.
        case suspend
        /// Go away: it was cancelled.
        case cancelled
    }

    /// A party wants a permit.
    ///
    /// - Parameter waiter: Who waits if there is none; nobody if `nil`.
    /// - Returns: What the party does.
    mutating func acquire(orEnlist waiter: WaiterReference?) -> AcquireAction {
        if self.permits > 0 {
            self.permits -= 1
            return .proceed
        }
        guard let waiter else { return .refuse }
        guard waiter.parker.begin() else { return .cancelled }
        self.queue.append(waiter)
        return .suspend
    }

    /// A party gives its permit back.
    ///
    /// - Returns: Who has it now, and is to be woken.
    mutating func release() -> ParkerReference? {
        guard let waiter = self.queue.claimFirst() else {
            self.permits += 1
            return nil
        }
        waiter.outcome = .done
        return waiter.parker
    }

    /// A party has stopped waiting without having been claimed.
    mutating func leave(_ waiter: WaiterReference) { self.queue.remove(waiter) }
}
