// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

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
        if let (coroutine, parker) = RunningCoroutine.parking {
            return try self.storage.send(element, in: coroutine, as: parker)
        }
        guard Coroutine.isInsideCoroutine else { throw OutsideWait.refuse(.channel, at: self.storage.made) }
        try self.storage.send(element)?.blocked.awaitEnd()
    }
}

extension BroadcastWait {
    /// What a sender waits for that has given no waiter.
    @usableFromInline
    var blocked: BlockedBroadcast<Element> {
        switch self {
        case .several(let blocked): blocked
        case .one: preconditionFailure("BUG: a sender waits without a waiter")
        }
    }
}

extension BroadcastStorage {
    /// Sends in a coroutine that waits itself: without an allocation, if one subscriber at most has no room.
    @inlinable @inline(never)
    func send(_ element: Element, in coroutine: RunningCoroutine, as parker: ParkerReference) throws {
        let blocked = try unsafe withUnsafeTemporaryAllocation(of: Disconnected<Element>.self, capacity: 1) {
            room throws -> BlockedBroadcast<Element>? in
            // An allocation of one element has an address.
            guard let slot = room.baseAddress else { preconditionFailure("BUG: no memory for an element") }
            // Safe: both lie in this frame, which the coroutine does not leave while it waits.
            var waiter = unsafe Waiter(parker, slot: UnsafeMutableRawPointer(slot))
            return try unsafe withUnsafeMutablePointer(to: &waiter) { address in
                let waiter = unsafe WaiterReference(address)
                switch try self.send(element, orEnlist: { waiter }) {
                case nil:
                    return nil
                case .several(let blocked)?:
                    return blocked
                case .one(let subscriber)?:
                    coroutine.note(.channel, at: self.made)
                    coroutine.park()
                    let error = self.end(waiter, at: subscriber, element)
                    try coroutine.checkUnwinding()
                    if let error { throw error }
                    return nil
                }
            }
        }
        try blocked?.awaitEnd()
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
        let coroutine = try RunningCoroutine.toWait(for: .channel, at: self.made)
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
