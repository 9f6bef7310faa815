// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoFuture {
    /// Calls a closure with the result; immediately, if there already is one.
    ///
    /// Isolation: that of ``AnyCoFuture/whenComplete(_:)``. To use an actor's state, see ``whenSuccess(_:)``.
    ///
    /// - Parameter callback: Called once.
    /// - Complexity: O(1).
    @preconcurrency
    public final func whenComplete(_ callback: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        if self.add(first: .result(callback)) { return }
        // Safe: it is this future that the closure gets.
        self.add(ActionObserver { callback(unsafe unsafeDowncast($0, to: CoFuture.self).settledResult) })
    }

    /// Calls a closure with the value; immediately, if there already is one.
    ///
    /// ## Isolation
    /// That of ``AnyCoFuture/whenComplete(_:)``: the closure runs on the thread that completes the future, not on the
    /// actor that adds it. Swift 6 mode only warns about `quote.whenSuccess { self.text = $0 }` in a `@MainActor`
    /// class, but it is a data race. Await the ``value`` instead, or start a task on the actor:
    ///
    /// ```swift
    /// quote.whenSuccess { text in
    ///     Task { @MainActor in self.text = text }
    /// }
    /// ```
    ///
    /// - Parameter callback: Called at most once.
    /// - Complexity: O(1).
    @preconcurrency
    public final func whenSuccess(_ callback: @escaping @Sendable (Value) -> Void) {
        if self.add(first: .value(callback)) { return }
        self.add(ValueObserver(callback))
    }
}
