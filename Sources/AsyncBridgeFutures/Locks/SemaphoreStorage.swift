// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeCore

/// The lock around a semaphore's machine, and the actions that follow from its decisions.
package final class SemaphoreStorage: Sendable {
    // `select` holds it together with other locks.
    let machine: ManualMutex<SemaphoreStateMachine>

    // Where it was made, and its name in lists of waits.
    package let made: CallSite
    package let name: StaticString

    init(permits: Int, made: CallSite, name: StaticString) {
        self.machine = ManualMutex(SemaphoreStateMachine(permits: permits))
        self.made = made
        self.name = name
    }

    var permits: Int { self.machine.withLock { $0.permits } }

    package func tryAcquire() -> Bool {
        switch self.machine.withLock({ $0.acquire(orEnlist: nil) }) {
        case .proceed: true
        case .refuse: false
        case .suspend, .cancelled: preconditionFailure("BUG: a waiter was enlisted without a wait")
        }
    }

    package func release() { self.machine.withLock { $0.release() }?.wake() }

    /// - Returns: Whether the waiter is enlisted; otherwise it has a permit.
    package func enter(_ waiter: WaiterReference) throws(CancellationError) -> Bool {
        switch self.machine.withLock({ $0.acquire(orEnlist: waiter) }) {
        case .proceed: return false
        case .suspend: return true
        case .cancelled: throw CancellationError()
        case .refuse: preconditionFailure("BUG: a waiter was not enlisted")
        }
    }

    /// The wait is over.
    package func leave(_ waiter: WaiterReference) throws(CancellationError) {
        if waiter.outcome == .done { return }
        self.machine.withLock { $0.leave(waiter) }
        throw CancellationError()
    }

    package nonisolated(nonsending) func acquire() async throws {
        if self.tryAcquire() { return }
        try Task.checkCancellation()
        let taskWaiter = TaskWaiter<Void>()
        defer { taskWaiter.free() }
        guard try self.enter(taskWaiter.waiter) else { return }
        await taskWaiter.parker.suspend(self.name, made: self.made)
        try self.leave(taskWaiter.waiter)
    }
}
