// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The waiters of a future, which may leave before it has a result: the list of observers only grows.
///
/// Safe: as `FutureObserver`; the state is used under its lock. The queue refers to waiters that have not left it.
@safe
package final class FutureWaiters: FutureObserver, @unchecked Sendable {
    package let state = ManualMutex(FutureWaitersState())

    // Never inlined, like `withdraw`: a coroutine parks between them, and on Linux a lock that is inlined reads the
    // number of its thread through an address that the compiler keeps (CStackSwitch.h).
    @inline(never)
    package func enlist(_ waiter: WaiterReference) -> FutureWaitersState.Enlistment {
        self.state.withLock { $0.enter(waiter) }
    }

    @inline(never)
    package func withdraw(_ waiter: WaiterReference) { self.state.withLock { $0.leave(waiter) } }

    override var isWaiting: Bool { self.state.withLock { !$0.isEmpty } }

    override func fire(from source: AnyCoFuture) {
        let settling = self.state.withLock { $0.settle() }
        for parker in settling.parkers { parker.wake() }
        for callback in settling.callbacks { callback(source) }
    }
}

extension CoFuture {
    /// Calls a closure when there is a result, unless it leaves before; now, if there is one already.
    ///
    /// Unlike closures of `whenComplete`, which stay in the future until it has a result.
    ///
    /// - Parameter callback: Called at most once.
    /// - Returns: Makes it leave. It keeps nothing of the future but the list of its waiters.
    /// - Complexity: O(1), and so is leaving.
    package final func whenSettled(
        _ callback: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> @Sendable () -> Void {
        // Safe: it is this future that the closure gets.
        let entry: FutureWaitersState.Callback = { future in
            callback(unsafe unsafeDowncast(future, to: CoFuture.self).settledResult)
        }
        guard let waiters = self.waiters(), let number = waiters.state.withLock({ $0.enter(entry) }) else {
            entry(self)
            return {}
        }
        return { releaseHere(waiters.state.withLock { $0.leave(number) }) }
    }
}
