// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension AnyCoFuture {
    /// Calls a closure when there is a result; immediately, if there already is one.
    ///
    /// ## Isolation
    /// The closure runs inside the call that completes the future, on its thread and outside every lock, after those
    /// that were added before; see ``CoFuture`` for calls that nest.
    ///
    /// Swift 6 mode only warns if the closure uses an actor's state or changes a captured variable: that is a data
    /// race. See ``CoFuture/whenSuccess(_:)`` for what to write instead.
    ///
    /// - Parameter callback: Called once.
    /// - Complexity: O(1).
    @preconcurrency
    public final func whenComplete(_ callback: @escaping @Sendable () -> Void) {
        self.add(ActionObserver { _ in callback() })
    }

    /// Calls a closure when this future is cancelled; immediately, if it already was.
    ///
    /// It is also called when the work itself fails with a `CancellationError`: the two look the same.
    ///
    /// Isolation: that of ``whenComplete(_:)``.
    ///
    /// - Parameter callback: Called at most once.
    /// - Complexity: O(1).
    @preconcurrency
    public final func whenCancelled(_ callback: @escaping @Sendable () -> Void) {
        self.add(ActionObserver { if $0.error is CancellationError { callback() } })
    }

    /// Calls a closure with the error when this future fails; immediately, if it already has.
    ///
    /// Isolation: that of ``whenComplete(_:)``.
    ///
    /// - Parameter callback: Called at most once.
    /// - Complexity: O(1).
    @preconcurrency
    public final func whenFailure(_ callback: @escaping @Sendable (any Error) -> Void) {
        self.add(ActionObserver { if let error = $0.error { callback(error) } })
    }
}
