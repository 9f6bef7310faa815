// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// The timers of one clock, for all waits with a timeout: a lock around their ``TimerStateMachine``, and the tasks that
/// sleep.
@usableFromInline
package final class Timers: Sendable {
    @usableFromInline package static let continuous = Timers(clock: ContinuousClock())
    @usableFromInline package static let suspending = Timers(clock: SuspendingClock())

    private let state = Mutex(TimerStateMachine())
    // The tasks that sleep.
    private let tasks = Mutex<[Duration: Task<Void, Never>]>([:])
    // Times are counted from when the timers were made.
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (_ until: Duration) async -> Void

    package init<C: Clock>(clock: C) where C.Duration == Duration {
        let start = clock.now
        self.now = { start.duration(to: clock.now) }
        // A task that is cancelled was stopped, and wakes at once.
        self.sleep = { try? await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The number of waiters.
    package var count: Int { self.state.withLock { $0.count } }

    // Never inlined, like `remove`: one may be called before a wait, the other after it.

    /// Enlists a waiter, which has begun to wait; its slot has room for an index.
    ///
    /// - Complexity: O(log *n*).
    @inline(never)
    package func add(_ waiter: WaiterReference, after duration: Duration) {
        let deadline = self.now() + duration
        let (sleeper, excess) = self.state.withLock { state in
            let sleeper = state.add(waiter, at: deadline)
            return (sleeper, state.excessSleeper())
        }
        if let sleeper { self.start(sleeper) }
        if let excess { self.tasks.withLock { $0.removeValue(forKey: excess) }?.cancel() }
    }

    /// Takes a waiter out, if it is there.
    ///
    /// - Complexity: O(log *n*).
    @inline(never)
    package func remove(_ waiter: WaiterReference) { self.state.withLock { $0.remove(waiter) } }

    private func start(_ sleeper: Duration) {
        // Detached: it serves all waiters, not only the task that began to wait first.
        let task = Task.detached(priority: .high) {
            await self.sleep(sleeper)
            self.wake(sleeper)
        }
        self.tasks.withLock { $0[sleeper] = task }
        // Race: it was stopped, or it woke, before it was in the list.
        if self.state.withLock({ !$0.hasSleeper(sleeper) }) {
            self.tasks.withLock { $0.removeValue(forKey: sleeper) }?.cancel()
        }
    }

    private func wake(_ sleeper: Duration) {
        let now = self.now()
        let waking = self.state.withLock { $0.wake(sleeper, now: now) }
        releaseHere(self.tasks.withLock { $0.removeValue(forKey: sleeper) })
        if let next = waking.sleeper { self.start(next) }
        for parker in waking.waiting { parker.wake() }
    }
}
