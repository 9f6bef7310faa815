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
    public final func whenComplete(_ callback: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        if self.add(first: .result(callback)) { return }
        // Safe: it is this future that the closure gets.
        self.add(ActionObserver { callback(unsafe unsafeDowncast($0, to: CoFuture.self).settledResult) })
    }

    /// Calls a closure with the value; now, if there is one.
    ///
    /// Isolation: that of ``AnyCoFuture/whenComplete(_:)``.
    ///
    /// - Parameter callback: Called at most once.
    /// - Complexity: O(1).
    @preconcurrency
    public final func whenSuccess(_ callback: @escaping @Sendable (Value) -> Void) {
        if self.add(first: .value(callback)) { return }
        self.add(ValueObserver(callback))
    }
}
