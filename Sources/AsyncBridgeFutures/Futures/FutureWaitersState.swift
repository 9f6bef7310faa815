// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The waiters of a future, which may leave before it has a result: every decision, and nothing else.
///
/// | State  | Meaning                    | `enter`                              | `leave`         | `settle`          |
/// |--------|----------------------------|--------------------------------------|-----------------|-------------------|
/// | `open` | no result, perhaps waiters | enlisted; refused if it is cancelled | it is taken out | `over`: they wake |
/// | `over` | there is a result          | refused: there is no wait            | nothing         | nothing           |
package struct FutureWaitersState: ~Copyable {
    private(set) var queue = WaiterQueue()
    private(set) var isOver = false

    var isEmpty: Bool { self.queue.isEmpty }

    /// What becomes of one that wants to wait.
    package enum Enlistment {
        case enlisted
        /// There is a result.
        case over
        /// The waiter was cancelled.
        case cancelled
    }

    /// A waiter wants to wait.
    mutating func enter(_ waiter: WaiterReference) -> Enlistment {
        if self.isOver { return .over }
        guard waiter.parker.begin() else { return .cancelled }
        self.queue.append(waiter)
        return .enlisted
    }

    /// A waiter of a selection waits, whose parker has begun to wait already.
    ///
    /// The selection has asked under the same lock: there is no result.
    mutating func enterBegun(_ waiter: WaiterReference) { self.queue.append(waiter) }

    /// A waiter has stopped waiting without having been claimed.
    mutating func leave(_ waiter: WaiterReference) { self.queue.remove(waiter) }

    /// The future has its result.
    ///
    /// - Returns: The parkers to wake, the first to come first.
    mutating func settle() -> [ParkerReference] {
        self.isOver = true
        var waiting: [ParkerReference] = []
        while let waiter = self.queue.claimFirst() {
            waiter.outcome = .done
            waiting.append(waiter.parker)
        }
        return waiting
    }
}
