// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoChannel {
    /// Receives the next element, in a task, which is suspended while there is none.
    ///
    /// ## Cancellation
    /// Ends the wait at once. An element that was handed over before, or that is there, is returned.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Returns: The element.
    /// - Throws: ``CoChannelError``; `CancellationError` if the task or the channel was cancelled.
    /// - Complexity: O(1) amortised.
    @inlinable
    public nonisolated(nonsending) func receive() async throws -> sending Element {
        // This handle counts, so it must not go before the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        // What is there needs no call of an async function, which costs more than the rest.
        if let element = self.storage.poll() { return element }
        return try await self.storage.receiveOrThrow()
    }

    /// Receives the next element if there is one.
    ///
    /// Isolation: may be called on any thread.
    ///
    /// - Returns: The element; nothing if there is none, or the channel has ended.
    /// - Complexity: O(1) amortised.
    @inlinable
    public func poll() -> sending Element? {
        defer { withExtendedLifetime(self) {} }
        return self.storage.poll()
    }

    /// Calls a closure with the next element, when there is one, or with the error with which the channel has ended.
    ///
    /// ## Isolation
    /// The closure runs in this call, or where the element is sent or the channel ended, outside every lock. Where
    /// little of the stack is left, because such closures have called each other, it runs in Dispatch's global queue,
    /// or on the scheduler of the coroutine.
    ///
    /// It counts as a ``Receiver`` until then.
    ///
    /// - Parameter callback: Called once.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    @inlinable
    public func whenReceive(_ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void) {
        defer { withExtendedLifetime(self) {} }
        self.storage.whenReceive(callback)
    }

    /// The next element as a future.
    ///
    /// It counts as a ``Receiver`` until it has a result.
    ///
    /// ## Cancellation
    /// ``AnyCoFuture/cancel()`` and ``AnyCoFuture/abandon()`` give the place in the channel up; the element is for
    /// others then. They do nothing if an element has been handed over before: the future gets it.
    ///
    /// A future that nobody holds and nobody observes keeps its place all the same. An element that nobody has read
    /// from its future when that goes away, because the wait was cancelled for example, goes to `onUndelivered`.
    ///
    /// - Returns: The future.
    /// - Complexity: O(1) amortised.
    @inlinable
    public func receiveFuture() -> CoFuture<Element> where Element: Sendable {
        defer { withExtendedLifetime(self) {} }
        return self.storage.receiveFuture()
    }
}
