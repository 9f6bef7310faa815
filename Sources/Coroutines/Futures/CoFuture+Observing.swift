// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoFuture {
    /// Calls a closure with the result; now, if there is one.
    ///
    /// Isolation: that of ``AnyCoFuture/whenComplete(_:)``.
    ///
    /// - Parameter callback: Called once.
    /// - Complexity: O(1).
    @preconcurrency
    @inlinable
    public final func whenComplete(_ callback: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        self.add(ActionObserver { callback(unsafe unsafeDowncast($0, to: CoFuture.self).settledResult) })
    }

    /// Calls a closure with the value; now, if there is one.
    ///
    /// Isolation: that of ``AnyCoFuture/whenComplete(_:)``.
    ///
    /// - Parameter callback: Called at most once.
    /// - Complexity: O(1).
    @preconcurrency
    @inlinable
    public final func whenSuccess(_ callback: @escaping @Sendable (Value) -> Void) {
        self.add(ValueObserver(callback))
    }
}
