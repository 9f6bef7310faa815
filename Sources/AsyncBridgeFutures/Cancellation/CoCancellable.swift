// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Work that ends and can be cancelled: the item of a ``CoScope``.
///
/// ```swift
/// final class Download: CoCancellable {
///     private let task: Task<Void, Never>
///
///     init(_ url: String) { self.task = Task { await fetch(url) } }
///
///     func cancel() { self.task.cancel() }
///
///     func whenComplete(_ callback: @escaping @Sendable () -> Void) {
///         Task { [task] in
///             await task.value
///             callback()
///         }
///     }
/// }
/// ```
@preconcurrency
public protocol CoCancellable: AnyObject, Sendable {
    /// Ends the work, if it has not ended.
    ///
    /// Isolation: called on any thread.
    func cancel()

    /// Calls a closure when the work has ended, cancelled or not; now, if it has ended already.
    ///
    /// Isolation: called on any thread, and may call back on any.
    ///
    /// - Parameter callback: Called once.
    func whenComplete(_ callback: @escaping @Sendable () -> Void)
}

extension CoCancellable {
    /// Adds this to a scope, which cancels it when the scope is cancelled or released.
    ///
    /// ```swift
    /// let download = Download(url).added(to: scope)
    /// ```
    ///
    /// Keep the object: the scope does not. If nothing else does either, the object is released at once, and its work
    /// continues uncancelled. A future of async code, `CoFuture { … }`, keeps itself alive until the code ends.
    ///
    /// - Parameter scope: The scope.
    /// - Returns: This object.
    /// - Complexity: O(1) amortised.
    @discardableResult
    public func added(to scope: CoScope) -> Self {
        scope.add(self)
        return self
    }
}
