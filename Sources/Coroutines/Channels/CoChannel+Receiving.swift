// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoChannel {
    /// Receives the next element, in a coroutine, which is suspended while there is none.
    ///
    /// ## Cancellation
    /// Ends the wait at once. An element that was handed over before, or that is there, is returned.
    ///
    /// ## Isolation
    /// The coroutine goes on where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Returns: The element.
    /// - Throws: ``CoChannelError``; `CancellationError` if the coroutine or the channel was cancelled;
    ///   ``CoroutineError/outsideCoroutine`` if it would have to wait.
    /// - Complexity: O(1) amortised.
    @available(*, noasync, message: "Use `try await channel.receive()` in async code")
    @inlinable
    public func awaitReceive() throws -> sending Element { try self.storage.awaitReceive() }

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
        try await self.storage.receiveOrThrow()
    }

    /// Receives the next element if there is one.
    ///
    /// Isolation: may be called on any thread.
    ///
    /// - Returns: The element; nothing if there is none, or the channel has ended.
    /// - Complexity: O(1) amortised.
    @inlinable
    public func poll() -> sending Element? { self.storage.poll() }

    /// Calls a closure with the next element, when there is one, or with the error with which the channel has ended.
    ///
    /// ## Isolation
    /// The closure runs in this call, or where the element is sent or the channel ended, outside every lock.
    ///
    /// - Parameter callback: Called once.
    /// - Complexity: O(1) amortised.
    @preconcurrency
    public func whenReceive(_ callback: @escaping @Sendable (sending Result<Element, any Error>) -> Void) {
        self.storage.whenReceive(callback)
    }

    /// The next element as a future.
    ///
    /// Cancelling the future gives the place in the channel up; the element is for others then.
    ///
    /// - Returns: The future.
    /// - Complexity: O(1) amortised.
    public func receiveFuture() -> CoFuture<Element> where Element: Sendable {
        CoFuture(receiving: { self.storage.whenReceive($0) })
    }

    /// The elements to come, for a loop in a coroutine; outside a coroutine those that are there.
    ///
    /// The loop ends with the channel, and when the coroutine is cancelled: ask `Coroutine.checkCancellation()` after it.
    ///
    /// ```swift
    /// for number in channel.makeIterator() { print(number) }
    /// ```
    ///
    /// - Returns: An iterator, which is a sequence as well.
    /// - Complexity: O(1).
    public func makeIterator() -> AnyIterator<Element> { self.storage.makeIterator() }
}
