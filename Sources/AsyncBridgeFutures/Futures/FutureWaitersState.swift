// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The waiters of a future, which may leave before it has a result: every decision, and nothing else.
///
/// | State  | Meaning                    | `enter`                              | `leave`         | `settle`          |
/// |--------|----------------------------|--------------------------------------|-----------------|-------------------|
/// | `open` | no result, perhaps waiters | enlisted; refused if it is cancelled | it is taken out | `over`: they wake |
/// | `over` | there is a result          | refused: there is no wait            | nothing         | nothing           |
///
/// A waiter is a parker, or a callback, which cannot be cancelled but leaves.
package struct FutureWaitersState: ~Copyable {
    /// What is called with the future when it has a result.
    package typealias Callback = @Sendable (AnyCoFuture) -> Void

    package private(set) var queue = WaiterQueue()
    package private(set) var isOver = false
    // By their numbers, oldest first.
    private var callbacks: [UInt: Callback] = [:]
    private var lastNumber: UInt = 0

    package init() {}

    package var isEmpty: Bool { self.queue.isEmpty && self.callbacks.isEmpty }

    /// What becomes of one that wants to wait.
    package enum Enlistment {
        case enlisted
        /// There is a result.
        case over
        /// The waiter was cancelled.
        case cancelled
    }

    /// A waiter wants to wait.
    package mutating func enter(_ waiter: WaiterReference) -> Enlistment {
        if self.isOver { return .over }
        guard waiter.parker.begin() else { return .cancelled }
        self.queue.append(waiter)
        return .enlisted
    }

    /// A waiter of a selection waits, whose parker has begun to wait already.
    ///
    /// The selection has asked under the same lock: there is no result.
    package mutating func enterBegun(_ waiter: WaiterReference) { self.queue.append(waiter) }

    /// A waiter has stopped waiting without having been claimed.
    package mutating func leave(_ waiter: WaiterReference) { self.queue.remove(waiter) }

    /// A callback wants to be called.
    ///
    /// - Returns: Its number, to leave with; nothing if there is a result.
    package mutating func enter(_ callback: @escaping Callback) -> UInt? {
        if self.isOver { return nil }
        self.lastNumber += 1
        self.callbacks[self.lastNumber] = callback
        return self.lastNumber
    }

    /// A callback is not to be called any more.
    ///
    /// - Returns: The callback, to be released outside the lock; nothing if there is a result.
    package mutating func leave(_ number: UInt) -> Callback? { self.callbacks.removeValue(forKey: number) }

    /// What is to be done after the lock when there is a result, oldest first.
    package struct Settling {
        /// Wake them.
        package var parkers: [ParkerReference] = []
        /// Call them.
        package var callbacks: [Callback] = []
    }

    /// The future has its result.
    package mutating func settle() -> Settling {
        self.isOver = true
        var settling = Settling()
        while let waiter = self.queue.claimFirst() {
            waiter.outcome = .done
            settling.parkers.append(waiter.parker)
        }
        if !self.callbacks.isEmpty {
            settling.callbacks = self.callbacks.sorted { $0.key < $1.key }.map(\.value)
            self.callbacks = [:]
        }
        return settling
    }
}
