// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The timers of one clock, for all waits with a timeout: a lock around their ``TimerStateMachine``, and the tasks that
/// sleep.
@usableFromInline
final class Timers: Sendable {
    @usableFromInline static let continuous = Timers(clock: ContinuousClock())
    @usableFromInline static let suspending = Timers(clock: SuspendingClock())

    private let state = Mutex(TimerStateMachine())
    // Times are counted from when the timers were made.
    private let now: @Sendable () -> Duration
    private let sleep: @Sendable (_ until: Duration) async -> Void

    init<C: Clock>(clock: C) where C.Duration == Duration {
        let start = clock.now
        self.now = { start.duration(to: clock.now) }
        // These tasks are never cancelled.
        self.sleep = { try? await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The number of waiters.
    var count: Int { self.state.withLock { $0.count } }

    // Never inlined, like `remove`: one may be called before a wait, the other after it.

    /// Enlists a waiter, which has begun to wait; its slot has room for an index.
    ///
    /// - Complexity: O(log *n*).
    @inline(never)
    func add(_ waiter: WaiterReference, after duration: Duration) {
        let deadline = self.now() + duration
        if let sleeper = self.state.withLock({ $0.add(waiter, at: deadline) }) { self.start(sleeper) }
    }

    /// Takes a waiter out, if it is there.
    ///
    /// - Complexity: O(log *n*).
    @inline(never)
    func remove(_ waiter: WaiterReference) { self.state.withLock { $0.remove(waiter) } }

    private func start(_ sleeper: Duration) {
        // Detached: it serves all waiters, not only the task that began to wait first.
        Task.detached(priority: .high) {
            await self.sleep(sleeper)
            self.wake(sleeper)
        }
    }

    private func wake(_ sleeper: Duration) {
        let now = self.now()
        let waking = self.state.withLock { $0.wake(sleeper, now: now) }
        if let next = waking.sleeper { self.start(next) }
        for parker in waking.waiting { parker.wake() }
    }
}
