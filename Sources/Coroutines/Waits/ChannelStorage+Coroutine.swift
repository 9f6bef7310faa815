// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// How coroutines wait for a channel.
//
// What is possible at once happens everywhere, in cancelled code too, as in tasks. Only a wait needs a coroutine that
// may wait.

extension ChannelStorage {
    /// The coroutine that may wait here, if it waits itself: not its task.
    @inlinable @inline(__always)
    func waitingCoroutine() -> (RunningCoroutine, ParkerReference)? {
        guard let coroutine = RunningCoroutine.current, let parker = coroutine.parker, !coroutine.isCancelled else {
            return nil
        }
        return (coroutine, parker)
    }

    @inlinable
    func awaitSend(_ element: sending Element) throws {
        let element = Disconnected(unchecked: element)
        // One that waits itself tries and enlists under one lock.
        guard let (coroutine, parker) = self.waitingCoroutine() else {
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
        do { coroutine = try RunningCoroutine.toSuspend() } catch {
            self.dispose(of: element)
            throw error
        }
        coroutine.note(.channel, at: self.made)
        try coroutine.perform { try self.fail(await self.sendWaiting(element), element) }
    }

    @inlinable
    func awaitReceive() throws -> sending Element {
        guard let (coroutine, parker) = self.waitingCoroutine() else {
            return try self.receiveFirst()
        }
        let received = self.receive(in: coroutine, as: parker)
        guard case .element(let element) = received else { try self.fail(received) }
        if coroutine.isUnwinding {
            self.dispose(of: element)
            throw CancellationError()
        }
        return element.take()
    }

    @inlinable @inline(never)
    func receiveFirst() throws -> sending Element {
        let received = self.receiveNow()
        if case .element(let element) = received { return element.take() }
        guard case .refused = received else { try self.fail(received) }
        let coroutine = try RunningCoroutine.toSuspend()
        coroutine.note(.channel, at: self.made)
        return try coroutine.perform {
            let received = await self.receiveWaiting()
            guard case .element(let element) = received else { try self.fail(received) }
            return element.take()
        }
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

    @inlinable @inline(never)
    func receive(in coroutine: RunningCoroutine, as parker: ParkerReference) -> Received {
        unsafe withUnsafeTemporaryAllocation(of: Disconnected<Element>.self, capacity: 1) { room in
            // An allocation of one element has an address.
            guard let slot = room.baseAddress else { preconditionFailure("BUG: no memory for an element") }
            // Safe: both lie in this frame, which the coroutine does not leave while it waits.
            var waiter = unsafe Waiter(parker, slot: UnsafeMutableRawPointer(slot))
            return unsafe withUnsafeMutablePointer(to: &waiter) { address in
                let waiter = unsafe WaiterReference(address)
                if let received = self.receive(orEnlist: waiter) { return received }
                coroutine.note(.channel, at: self.made)
                coroutine.park()
                return self.received(waiter)
            }
        }
    }
}
