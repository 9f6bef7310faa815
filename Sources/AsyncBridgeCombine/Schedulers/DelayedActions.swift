// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import Synchronization

/// The lock around a ``DelayState``, and the timer that ends when an action is due.
final class DelayedActions: Sendable {
    private let state = Mutex(DelayState<ScheduledAction>())
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(_ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.schedule = schedule }

    /// Hands an action to the scheduler when it is due, after those that are due earlier.
    func add(_ action: ScheduledAction, at time: ContinuousClock.Instant) {
        let next = self.state.withLock { state in
            state.add(action, at: time)
            return state.nextTimer()
        }
        if let next { self.startTimer(until: next) }
    }

    /// One for all actions, not one for each: each takes a turn of the timers' thread.
    private func startTimer(until time: ContinuousClock.Instant) {
        // Kept by the timers until it has ended.
        _ = TimedAction(until: time) { self.reach(max(time, .now)) }
    }

    private func reach(_ time: ContinuousClock.Instant) {
        guard self.state.withLock({ $0.reach(time) }) else { return }
        while let action = self.state.withLock({ $0.next() }) { self.schedule { action.run() } }
        if let next = self.state.withLock({ $0.nextTimer() }) { self.startTimer(until: next) }
    }
}

extension TimedAction {
    /// Starts a timer for an action that calls a scheduler, which may run anything.
    convenience init(until time: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
        self.init(
            after: BridgeTimeout.limited(ContinuousClock.now.duration(to: time)),
            on: .continuous,
            runsOthersCode: true,
            action
        )
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
