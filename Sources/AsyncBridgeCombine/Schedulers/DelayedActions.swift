// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Synchronization

/// The lock around a ``DelayState``, and the tasks that sleep until actions are due.
final class DelayedActions: Sendable {
    private let state = Mutex(DelayState<ScheduledAction>())
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(_ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.schedule = schedule }

    /// Hands an action to the scheduler when it is due, after those that are due earlier.
    func add(_ action: ScheduledAction, at time: ContinuousClock.Instant, tolerance: Duration) {
        self.state.withLock { $0.add(action, at: time) }
        Task {
            // The task is not cancelled, so this does not throw.
            try? await ContinuousClock().sleep(until: time, tolerance: tolerance)
            self.reach(time)
        }
    }

    private func reach(_ time: ContinuousClock.Instant) {
        guard self.state.withLock({ $0.reach(time) }) else { return }
        while let action = self.state.withLock({ $0.next() }) { self.schedule { action.run() } }
    }
}

/// An action that a scheduler runs, on any thread.
///
/// Safe: Combine's contract hands the action over to the scheduler, which may run it on any thread.
final class ScheduledAction: @unchecked Sendable {
    private let action: () -> Void
    private let isStopped = Atomic(false)

    init(_ action: @escaping () -> Void) { self.action = action }

    func run() { if !self.isStopped.load(ordering: .acquiring) { self.action() } }

    func stop() { self.isStopped.store(true, ordering: .releasing) }
}
#endif
