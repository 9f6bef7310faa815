// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How many children a scope waits for, and what went wrong first.
///
/// | State   | Holds                                    | Next              |
/// |---------|------------------------------------------|-------------------|
/// | open    | the number of children, and one for the body | open, over    |
/// | over    | nothing is running any more, but what came too late | none   |
///
/// Invariant: it is over once.
struct CoroutineScopeState {
    // The body is one of them.
    private var running = 1

    private var isOver = false

    private(set) var error: (any Error)?

    /// A child is to start.
    ///
    /// - Returns: Whether it may. Otherwise it comes too late, and is to be cancelled.
    mutating func begin() -> Bool {
        self.running += 1
        return !self.isOver
    }

    /// A child has failed.
    ///
    /// - Returns: Whether this was the first failure.
    mutating func fail(_ error: any Error) -> Bool {
        guard self.error == nil else { return false }
        self.error = error
        return true
    }

    /// The body has failed.
    mutating func bodyFailed(_ error: any Error) {
        // The first error wins. A cancellation that it has led to is no second one.
        if self.error == nil { self.error = error }
    }

    /// A child has ended.
    ///
    /// - Returns: Whether nothing is running any more.
    mutating func childEnded() -> Bool {
        self.running -= 1
        if self.running > 0 || self.isOver { return false }
        self.isOver = true
        return true
    }

    /// The body has ended.
    ///
    /// - Returns: Whether nothing is running any more.
    mutating func bodyEnded() -> Bool { self.childEnded() }
}
