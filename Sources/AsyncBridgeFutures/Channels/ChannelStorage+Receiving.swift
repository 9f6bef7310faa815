// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// How coroutines wait for an element. Not in the engine's module, because a receiver whose elements are mapped waits
// inside closures that were made where `map` was called: the engine passes in its own part.
//
// An operation that is possible at once succeeds everywhere, in cancelled code too, as in tasks. Only a wait needs a
// coroutine that may wait.

/// Suspends the calling coroutine while an operation runs for it.
@usableFromInline
package struct ChannelSuspension: Sendable {
    @usableFromInline package typealias Suspend =
        @Sendable (_ made: CallSite, _ operation: nonisolated(nonsending) () async -> Void) throws -> Void

    @usableFromInline let suspend: Suspend

    /// - Parameter suspend: Gets where the channel was made, for lists. Throws `CoroutineError.outsideCoroutine`;
    ///   `CancellationError` if the coroutine was cancelled before, or is being unwound.
    @inlinable
    package init(_ suspend: @escaping Suspend) { self.suspend = suspend }
}

extension ChannelStorage {
    /// Receives the next element, in a coroutine.
    ///
    /// - Parameters:
    ///   - parker: The coroutine's own, if it is on a scheduler and not cancelled.
    ///   - suspension: Suspends any other coroutine.
    /// - Returns: The element.
    /// - Throws: ``CoChannelError``; `CancellationError`; what `suspension` throws.
    @inlinable
    package func awaitReceive(
        as parker: ParkerReference?,
        _ suspension: ChannelSuspension
    ) throws -> sending Element {
        guard let parker else { return try self.receiveFirst(suspension) }
        let received = self.receive(as: parker)
        guard case .element(let element) = received else { try self.fail(received) }
        return element.take()
    }

    @inlinable @inline(never)
    func receiveFirst(_ suspension: ChannelSuspension) throws -> sending Element {
        var received = self.receiveNow()
        if case .refused = received {
            do {
                try suspension.suspend(self.made) { received = await self.receiveWaiting() }
            } catch {
                if case .element(let element) = received { self.dispose(of: element) }
                throw error
            }
        }
        guard case .element(let element) = received else { try self.fail(received) }
        return element.take()
    }

    // Without a task.
    @inlinable @inline(never)
    func receive(as parker: ParkerReference) -> Received {
        unsafe withUnsafeTemporaryAllocation(of: Disconnected<Element>.self, capacity: 1) { room in
            // An allocation of one element has an address.
            guard let slot = room.baseAddress else { preconditionFailure("BUG: no memory for an element") }
            // Safe: both lie in this frame, which the coroutine does not leave while it waits.
            var waiter = unsafe Waiter(parker, slot: UnsafeMutableRawPointer(slot))
            return unsafe withUnsafeMutablePointer(to: &waiter) { address in
                let waiter = unsafe WaiterReference(address)
                if let received = self.receive(orEnlist: waiter) { return received }
                let isWanted = parker.suspend(forChannelMadeAt: self.made)
                let received = self.received(waiter)
                if isWanted { return received }
                if case .element(let element) = received { self.dispose(of: element) }
                return .cancelled
            }
        }
    }
}
