// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoChannel {
    /// Receives the next element in async code, which is suspended while there is none.
    ///
    /// ## Cancellation
    /// Ends the wait at once. An element that was handed over before, or that is available, is returned.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Returns: The element.
    /// - Throws: ``CoChannelError``; the error of ``close(throwing:)``; `CancellationError` if the task or the channel
    ///   was cancelled.
    /// - Complexity: O(1) amortised.
    @inlinable
    public nonisolated(nonsending) func receive() async throws -> sending Element {
        // This handle counts, so it must live until the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        // An available element needs no call of an async function, which costs more than the rest.
        if let element = self.storage.poll() { return element }
        return try await self.storage.receiveOrThrow()
    }

    /// Receives the next element if there is one.
    ///
    /// Isolation: may be called on any thread.
    ///
    /// - Returns: The element; `nil` if there is none, or the channel has ended.
    /// - Complexity: O(1) amortised.
    @inlinable
    public func poll() -> sending Element? {
        defer { withExtendedLifetime(self) {} }
        return self.storage.poll()
    }

    /// Calls a closure with the next element, when there is one, or with the error with which the channel has ended.
    ///
    /// ## Isolation
    /// The closure runs inside this call, or inside the call that sends the element or ends the channel, outside every
    /// lock. When such calls nest and little of the stack is left, it runs on Dispatch's global queue, or on the
    /// scheduler of the calling coroutine.
    ///
    /// Until the closure is called, it counts as a ``Receiver``.
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
    /// The future counts as a ``Receiver`` until it has a result.
    ///
    /// ## Cancellation
    /// ``AnyCoFuture/cancel()`` and ``AnyCoFuture/abandon()`` take the future out of the channel's queue: another
    /// receiver gets the element. They do nothing if an element has already been handed over: the future gets it.
    ///
    /// A future that is neither held nor observed still stays in the queue. If a future is released and its element was
    /// never read, for example because the wait was cancelled, the element goes to `onUndelivered`.
    ///
    /// - Returns: The future.
    /// - Complexity: O(1) amortised.
    @inlinable
    public func receiveFuture() -> CoFuture<Element> where Element: Sendable {
        defer { withExtendedLifetime(self) {} }
        return self.storage.receiveFuture()
    }
}
