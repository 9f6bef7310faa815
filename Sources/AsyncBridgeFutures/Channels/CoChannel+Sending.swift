// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension CoChannel {
    /// Sends an element in async code, which is suspended while the channel is full.
    ///
    /// ## Cancellation
    /// Ends the wait at once; the element is not sent. If there is room, the element is sent in a cancelled task too.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Parameter element: The element.
    /// - Throws: ``CoChannelError``; the error of ``close(throwing:)``; `CancellationError` if the task or the channel
    ///   was cancelled. The element then goes to `onUndelivered`.
    /// - Complexity: O(1) amortised.
    @inlinable
    public nonisolated(nonsending) func send(_ element: sending Element) async throws {
        // This handle counts, so it must live until the wait is over. The same everywhere below.
        defer { withExtendedLifetime(self) {} }
        try await self.storage.sendOrThrow(Disconnected(unchecked: element))
    }

    /// Sends an element if that is possible at once.
    ///
    /// Isolation: may be called on any thread.
    ///
    /// - Parameter element: The element.
    /// - Returns: `false` if the channel is full and no receiver waits, or if it has ended. The caller then keeps the
    ///   element: it does not go to `onUndelivered`. A channel whose policy drops elements takes each: `true` also if
    ///   this is the one that it drops and gives to `onUndelivered`, as with `.oldest`.
    /// - Complexity: O(1) amortised.
    @discardableResult
    @inlinable
    public func offer(_ element: sending Element) -> Bool {
        defer { withExtendedLifetime(self) {} }
        return self.storage.offer(element)
    }

    /// Sends the value of a future, once it has one.
    ///
    /// If the channel is full at that moment, the value waits in line with the suspended senders. Nothing is sent if
    /// the future fails. A channel that has ended gives the value to `onUndelivered`.
    ///
    /// The future counts as a ``Sender`` until its value has been sent or it has failed. So a future that never gets a
    /// result keeps the channel open for its receivers.
    ///
    /// - Parameter future: The future.
    /// - Complexity: O(1) amortised.
    @inlinable
    public func sendFuture(_ future: CoFuture<Element>) where Element: Sendable {
        defer { withExtendedLifetime(self) {} }
        self.storage.send(future)
    }
}
