// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// How coroutines wait until a channel takes an element. How they wait for one is `ChannelStorage.awaitReceive(as:_:)`.
//
// An operation that is possible at once succeeds everywhere, in cancelled code too, as in tasks. Only a wait needs a
// coroutine that may wait.

extension ChannelStorage {
    @inlinable
    func awaitSend(_ element: sending Element) throws {
        let element = Disconnected(unchecked: element)
        // A coroutine that waits itself tries and enlists under one lock.
        guard let (coroutine, parker) = RunningCoroutine.parking else {
            return try self.sendFirst(element)
        }
        let sent = self.send(element, in: coroutine, as: parker)
        if case .sent = sent { return try coroutine.checkUnwinding() }
        try self.fail(sent, element)
    }

    @inlinable @inline(never)
    func sendFirst(_ element: Disconnected<Element>) throws {
        let sent = self.sendNow(element)
        guard case .refused = sent else { return try self.fail(sent, element) }
        let coroutine: RunningCoroutine
        do { coroutine = try RunningCoroutine.toSuspend(for: .channel, at: self.made) } catch {
            self.dispose(of: element)
            throw error
        }
        coroutine.note(.channel, at: self.made)
        try coroutine.perform { try self.fail(await self.sendWaiting(element), element) }
    }
}

// MARK: - Without a task

extension ChannelStorage {
    @inlinable @inline(never)
    func send(_ element: Disconnected<Element>, in coroutine: RunningCoroutine, as parker: ParkerReference) -> Sent {
        unsafe withUnsafeTemporaryAllocation(of: Disconnected<Element>.self, capacity: 1) { room in
            // An allocation of one element has an address.
            guard let slot = room.baseAddress else { preconditionFailure("BUG: no memory for an element") }
            // Safe: both lie in this frame, which the coroutine does not leave while it waits.
            var waiter = unsafe Waiter(parker, slot: UnsafeMutableRawPointer(slot))
            return unsafe withUnsafeMutablePointer(to: &waiter) { address in
                let waiter = unsafe WaiterReference(address)
                if let sent = self.send(element, orEnlist: waiter) { return sent }
                coroutine.note(.channel, at: self.made)
                coroutine.park()
                return self.sent(waiter)
            }
        }
    }
}

// MARK: - What a channel needs from the engine

/// Suspends the calling coroutine while an operation runs for it: see `ChannelSuspension`.
@usableFromInline @Sendable
func suspendForChannel(made: CallSite, _ operation: nonisolated(nonsending) () async -> Void) throws {
    let coroutine = try RunningCoroutine.toSuspend(for: .channel, at: made)
    coroutine.note(.channel, at: made)
    try coroutine.perform { await operation() }
}

/// The same for a plain `for` loop: outside a coroutine that ends with what is available, which is no mistake.
@usableFromInline @Sendable
func suspendForIteration(made: CallSite, _ operation: nonisolated(nonsending) () async -> Void) throws {
    guard Coroutine.isInsideCoroutine else { throw CoroutineError.outsideCoroutine }
    try suspendForChannel(made: made, operation)
}
