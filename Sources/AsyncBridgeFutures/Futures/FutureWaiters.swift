// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Those who wait for a future and may leave before it has a result: the list of observers only grows.
@safe
package final class FutureWaiters: FutureObserver, @unchecked Sendable {
    struct State: ~Copyable {
        var queue = WaiterQueue()
        var isOver = false
    }

    let state = ManualMutex(State())

    /// What becomes of one who wants to wait.
    package enum Enlistment {
        case enlisted
        /// There is a result.
        case over
        /// The party was cancelled.
        case cancelled
    }

    // Never inlined, like `withdraw`: a coroutine parks between them, and on Linux a lock that is inlined reads the
    // number of its thread through an address that the compiler keeps (CStackSwitch.h).
    @inline(never)
    package func enlist(_ waiter: WaiterReference) -> Enlistment {
        return self.state.withLock { state in
            if state.isOver { return .over }
            guard waiter.parker.begin() else { return .cancelled }
            state.queue.append(waiter)
            return .enlisted
        }
    }

    @inline(never)
    package func withdraw(_ waiter: WaiterReference) {
        self.state.withLock { $0.queue.remove(waiter) }
    }

    override var isWaiting: Bool { self.state.withLock { !$0.queue.isEmpty } }

    override func fire(from _: AnyCoFuture) {
        let waiting = self.state.withLock { state in
            state.isOver = true
            var waiting: [ParkerReference] = []
            while let waiter = state.queue.claimFirst() {
                waiter.outcome = .done
                waiting.append(waiter.parker)
            }
            return waiting
        }
        for party in waiting { party.wake() }
    }
}
