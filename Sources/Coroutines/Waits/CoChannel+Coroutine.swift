// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoChannel {
    /// Sends an element, in a coroutine, which is suspended while the channel is full.
    ///
    /// ## Cancellation
    /// Ends the wait at once; the element is not sent. If there is room, the element is sent in a cancelled coroutine
    /// too.
    ///
    /// ## Isolation
    /// The coroutine continues where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Parameter element: The element.
    /// - Throws: ``CoChannelError``; `CancellationError` if the coroutine or the channel was cancelled;
    ///   ``CoroutineError/outsideCoroutine`` if it would have to wait. The element then goes to `onUndelivered`.
    /// - Complexity: O(1) amortised.
    @available(*, noasync, message: "Use `try await channel.send(element)` in async code")
    @inlinable
    public func awaitSend(_ element: sending Element) throws {
        // This handle counts, so it must live until the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        try self.storage.awaitSend(element)
    }

    /// Receives the next element, in a coroutine, which is suspended while there is none.
    ///
    /// ## Cancellation
    /// Ends the wait at once. An element that was handed over before, or that is available, is returned.
    ///
    /// ## Isolation
    /// The coroutine continues where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Returns: The element.
    /// - Throws: ``CoChannelError``; `CancellationError` if the coroutine or the channel was cancelled;
    ///   ``CoroutineError/outsideCoroutine`` if it would have to wait.
    /// - Complexity: O(1) amortised.
    @available(*, noasync, message: "Use `try await channel.receive()` in async code")
    @inlinable
    public func awaitReceive() throws -> sending Element {
        // This handle counts, so it must live until the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        return try self.storage.awaitReceive(as: RunningCoroutine.parking?.1, ChannelSuspension(suspendForChannel))
    }

    /// The elements still to come, for a plain `for` loop in a coroutine; outside a coroutine, only those available
    /// now.
    ///
    /// A plain `for` cannot throw. If the channel may fail, write ``awaitNext()``, which throws the error, or read
    /// ``Iterator/error`` after the loop.
    ///
    /// The loop ends with the channel, or when the coroutine was cancelled: call `Coroutine.checkCancellation()` after
    /// it. The iterator is a ``Receiver``, and does not keep the channel open by itself.
    ///
    /// - Returns: An iterator, which is a sequence as well.
    /// - Complexity: O(1).
    public func makeIterator() -> Iterator { Iterator(self.receiver) }
}

extension CoChannel.Sender {
    /// Sends an element, in a coroutine, which is suspended while the channel is full.
    ///
    /// - Parameter element: The element.
    /// - Throws: See ``CoChannel/awaitSend(_:)``.
    @available(*, noasync, message: "Use `try await sender.send(element)` in async code")
    @inlinable
    public func awaitSend(_ element: sending Element) throws {
        // This handle counts, so it must live until the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        try self.storage.awaitSend(element)
    }
}

extension CoChannel.Receiver {
    /// Receives the next element, in a coroutine, which is suspended while there is none.
    ///
    /// - Returns: The element.
    /// - Throws: See ``CoChannel/awaitReceive()``.
    @available(*, noasync, message: "Use `try await receiver.receive()` in async code")
    @inlinable @inline(__always)
    public func awaitReceive() throws -> sending Element {
        // This handle counts, so it must live until the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        return try self.awaitReceive(as: RunningCoroutine.parking?.1, ChannelSuspension(suspendForChannel))
    }

    /// The elements still to come, for a plain `for` loop in a coroutine; outside a coroutine, only those available
    /// now.
    ///
    /// See ``CoChannel/makeIterator()-()->Iterator``: a plain `for` cannot throw, so prefer ``awaitNext()``.
    ///
    /// - Returns: An iterator, which is a sequence as well, and keeps this receiver.
    public func makeIterator() -> CoChannel.Iterator { CoChannel.Iterator(self) }
}
