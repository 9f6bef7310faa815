// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension CoBroadcast {
    /// Sends an element to all subscribers, in a coroutine, and waits for those whose buffer is full.
    ///
    /// All subscribers with room get the element at once. It waits in the queues of the others, and the coroutine waits
    /// for them.
    ///
    /// ## Cancellation
    /// Ends the wait at once: the subscribers that still have no room do not get the element. In a cancelled coroutine
    /// it is still sent to those with room.
    ///
    /// ## Isolation
    /// The coroutine continues where it was.
    ///
    /// - Parameter element: The element.
    /// - Throws: ``CoChannelError/closed``, or the error of ``close(throwing:)``, if the broadcast is closed, or was
    ///   closed before all had room; `CancellationError` if the broadcast or the coroutine was cancelled before that.
    ///   The element goes to `onUndelivered` then, for each subscriber that does not get it; once, if the broadcast had
    ///   ended. ``CoroutineError/outsideCoroutine``: then it is not sent, and the caller keeps it. A subscriber that
    ///   leaves is not an error, nor is it that there are no subscribers.
    /// - Complexity: O(*n*) in the number of subscribers.
    @available(*, noasync, message: "Use `try await broadcast.send(element)` in async code")
    @inlinable
    public func awaitSend(_ element: Element) throws {
        guard Coroutine.isInsideCoroutine else { throw CoroutineError.outsideCoroutine }
        guard let blocked = try self.storage.send(element) else { return }
        try blocked.awaitEnd()
    }
}

extension BlockedBroadcast {
    /// Waits until all subscribers are settled, or the coroutine is cancelled.
    @usableFromInline
    func awaitEnd() throws {
        do { try self.parkCoroutine() } catch {
            self.giveUp()
            throw error
        }
        try self.finish()
    }

    /// - Throws: `CancellationError` if the coroutine is unwound, or cannot wait.
    private func parkCoroutine() throws {
        if self.tally.isOver { return }
        // Looked up here: code that ran since the call began may have moved this code to another coroutine.
        guard let coroutine = RunningCoroutine.current else { throw CoroutineError.outsideCoroutine }
        try coroutine.checkUnwinding()
        if coroutine.isCancelled { return }
        coroutine.note(.channel, at: self.made)
        guard let parker = coroutine.parker else { return try coroutine.perform { await self.park() } }
        switch self.tally.enlist(parker) {
        case .over, .cancelled: return
        case .enlisted: coroutine.park()
        }
        self.tally.leave()
        try coroutine.checkUnwinding()
    }
}
