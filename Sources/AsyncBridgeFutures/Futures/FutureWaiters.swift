// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The waiters of a future, which may leave before it has a result: the list of observers only grows.
@safe
package final class FutureWaiters: FutureObserver, @unchecked Sendable {
    let state = ManualMutex(FutureWaitersState())

    // Never inlined, like `withdraw`: a coroutine parks between them, and on Linux a lock that is inlined reads the
    // number of its thread through an address that the compiler keeps (CStackSwitch.h).
    @inline(never)
    package func enlist(_ waiter: WaiterReference) -> FutureWaitersState.Enlistment {
        self.state.withLock { $0.enter(waiter) }
    }

    @inline(never)
    package func withdraw(_ waiter: WaiterReference) { self.state.withLock { $0.leave(waiter) } }

    override var isWaiting: Bool { self.state.withLock { !$0.isEmpty } }

    override func fire(from _: AnyCoFuture) {
        for parker in self.state.withLock({ $0.settle() }) { parker.wake() }
    }
}
