// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The delay that a branch waits for.
@usableFromInline
class SelectDelay {
    /// Whether there is nothing to wait for.
    @usableFromInline let isOver: Bool

    fileprivate init(isOver: Bool) { self.isOver = isOver }

    /// Answers the branch.
    @usableFromInline
    func answer(_ operation: SelectOperation, _ waiter: WaiterReference?) -> SelectAnswer { .no }

    @usableFromInline var traits: SelectTraits { [] }

    /// - Returns: A delay that is over, or never is, or ends at that time.
    @usableFromInline
    static func make<C: Clock>(_ duration: C.Duration, _ clock: C) -> SelectDelay {
        if duration <= .zero { return SelectDelay(isOver: true) }
        guard let plain = duration as? Duration else { return TaskDelay(duration, clock) }
        let timers: Timers? = clock is ContinuousClock ? .continuous : clock is SuspendingClock ? .suspending : nil
        return self.make(plain, timers: timers) ?? TaskDelay(duration, clock)
    }

    /// The same for one of the standard clocks, whose timers are shared.
    @usableFromInline
    static func make(_ duration: Duration, timers: Timers?) -> SelectDelay? {
        if duration <= .zero { return SelectDelay(isOver: true) }
        if duration >= .never { return SelectDelay(isOver: false) }
        return timers.map { TimerDelay(duration, $0) }
    }
}

extension Duration {
    /// 34,000 years or longer: no clock gets there, and none can count far beyond it.
    fileprivate static let never = Duration.seconds(1 << 40)
}

/// Waits for one of the shared timers.
private final class TimerDelay: SelectDelay {
    private let duration: Duration
    private let timers: Timers

    init(_ duration: Duration, _ timers: Timers) {
        self.duration = duration
        self.timers = timers
        super.init(isOver: false)
    }

    override var traits: SelectTraits { .starts }

    override func answer(_ operation: SelectOperation, _ waiter: WaiterReference?) -> SelectAnswer {
        guard let waiter else { return .no }
        switch operation {
        // Not with the other locks held: all timers share one lock.
        case .start: self.timers.add(waiter, after: self.duration)
        case .withdraw:
            if waiter.outcome == .done { return .yes }
            self.timers.remove(waiter)
        case .begin, .prepare, .lock, .unlock, .attempt, .enlist, .settle, .discard, .abandon, .finish: break
        }
        return .no
    }
}

/// Waits for a task that sleeps: for clocks not known here.
private final class TaskDelay: SelectDelay {
    private let start: () -> CoFuture<Void>
    private var timer: CoFuture<Void>?

    init<C: Clock>(_ duration: C.Duration, _ clock: C) {
        let duration = Timeout.limited(duration)
        self.start = { CoFuture { try await Task.sleep(for: duration, clock: clock) } }
        super.init(isOver: false)
    }

    override var traits: SelectTraits { .finishes }

    override func answer(_ operation: SelectOperation, _ waiter: WaiterReference?) -> SelectAnswer {
        if operation == .prepare { self.timer = self.start() }
        if operation == .finish { self.timer?.cancel() }
        return self.timer?.answer(operation, waiter) ?? .no
    }
}
