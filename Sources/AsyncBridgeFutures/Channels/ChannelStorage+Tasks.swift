// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// How a task waits in a channel.

extension ChannelStorage {
    @inlinable
    nonisolated(nonsending) func send(_ element: Disconnected<Element>) async -> Sent {
        // First without a waiter, which costs two allocations.
        let sent = self.sendNow(element)
        guard case .refused = sent else { return sent }
        return await self.sendWaiting(element)
    }

    @inlinable
    package nonisolated(nonsending) func sendWaiting(_ element: Disconnected<Element>) async -> Sent {
        if CurrentTask.isCancelled { return .cancelled }
        let taskWaiter = TaskWaiter<Disconnected<Element>>()
        defer { taskWaiter.free() }
        if let sent = self.send(element, orEnlist: taskWaiter.waiter) { return sent }
        await taskWaiter.parker.suspend("CoChannel.send", made: self.made)
        return self.sent(taskWaiter.waiter)
    }

    @inlinable
    nonisolated(nonsending) func receive() async -> Received {
        // First without a waiter, which costs two allocations.
        let received = self.receiveNow()
        guard case .refused = received else { return received }
        return await self.receiveWaiting()
    }

    @inlinable
    nonisolated(nonsending) func receiveWaiting() async -> Received {
        if CurrentTask.isCancelled { return .cancelled }
        let taskWaiter = TaskWaiter<Disconnected<Element>>()
        defer { taskWaiter.free() }
        if let received = self.receive(orEnlist: taskWaiter.waiter) { return received }
        await taskWaiter.parker.suspend("CoChannel.receive", made: self.made)
        return self.received(taskWaiter.waiter)
    }
}
