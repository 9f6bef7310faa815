// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The decisions of a semaphore, and nothing else.
///
/// | State   | Holds                | Next               |
/// |---------|----------------------|--------------------|
/// | free    | permits              | free, taken        |
/// | taken   | the waiters          | taken, free        |
///
/// Invariant: nothing waits while there are free permits; a permit goes to one waiter.
package struct SemaphoreStateMachine: ~Copyable {
    package private(set) var permits: Int
    private var queue = WaiterQueue()

    package init(permits: Int) { self.permits = permits }

    /// What the caller does after it has left the lock.
    package enum AcquireAction {
        /// Go on: it has a permit.
        case proceed
        /// Return: there is none.
        case refuse
        /// Suspend: it is enlisted.
        case suspend
        /// Return: it was cancelled.
        case cancelled
    }

    /// A caller wants a permit.
    ///
    /// - Parameter waiter: The waiter to enlist if there is none; none if `nil`.
    /// - Returns: What the caller does.
    package mutating func acquire(orEnlist waiter: WaiterReference?) -> AcquireAction {
        if self.permits > 0 {
            self.permits -= 1
            return .proceed
        }
        guard let waiter else { return .refuse }
        guard waiter.parker.begin() else { return .cancelled }
        self.queue.append(waiter)
        return .suspend
    }

    /// A waiter that has begun to wait, also for something else, joins the line: there was no permit just now.
    ///
    /// Called with the lock held since ``acquire(orEnlist:)`` refused.
    package mutating func enterBegun(_ waiter: WaiterReference) {
        guard self.permits == 0 else { preconditionFailure("BUG: a waiter joined the line although there is a permit") }
        self.queue.append(waiter)
    }

    /// A permit is returned.
    ///
    /// - Returns: The waiter that has it now, to be woken.
    package mutating func release() -> ParkerReference? {
        guard let waiter = self.queue.claimFirst() else {
            self.permits += 1
            return nil
        }
        waiter.outcome = .done
        return waiter.parker
    }

    /// A waiter has stopped waiting without having been given a permit: it was cancelled, or its wait has timed out.
    package mutating func leave(_ waiter: WaiterReference) { self.queue.remove(waiter) }
}
