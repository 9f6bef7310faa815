// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How many children a scope waits for, and what went wrong first.
///
/// | State   | Holds                                    | Next              |
/// |---------|------------------------------------------|-------------------|
/// | open    | the number of children, and one for the body | open, over    |
/// | over    | nothing is running any more              | none              |
///
/// Invariant: it is over once.
struct CoroutineScopeState {
    // The body is one of them.
    private var running = 1

    private(set) var error: (any Error)?

    /// A child is to start.
    mutating func begin() { self.running += 1 }

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
        return self.running == 0
    }

    /// The body has ended.
    ///
    /// - Returns: Whether nothing is running any more.
    mutating func bodyEnded() -> Bool { self.childEnded() }
}
