// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import Synchronization

/// The lock around a ``RepeatState``, and the timer of its round.
final class RepeatedAction: Sendable {
    private let state = Mutex(RepeatState<TimedAction>())
    private let action: ScheduledAction
    private let interval: Duration
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(
        _ action: ScheduledAction,
        every interval: Duration,
        _ schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.action = action
        self.interval = interval
        self.schedule = schedule
    }

    /// Waits for a round's time.
    func begin(_ round: Int = 0, at time: ContinuousClock.Instant) {
        let timer = TimedAction(until: time) { self.run(round, at: time) }
        // An old one has run, or is too late: cancelling it does no harm.
        self.state.withLock { $0.begin(round, with: timer) }?.cancel()
    }

    private func run(_ round: Int, at time: ContinuousClock.Instant) {
        guard self.state.withLock({ $0.isGoing }) else { return }
        let action = self.action
        // Before the next round, or a scheduler that runs it at once could run two at a time.
        self.schedule { action.run() }
        self.begin(round + 1, at: time.advanced(by: self.interval))
    }

    /// Stops it: a run that has begun completes, and no other one begins.
    func stop() {
        self.action.stop()
        self.state.withLock { $0.stop() }?.cancel()
    }
}
#endif
