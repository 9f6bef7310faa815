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
        if plain >= .never { return SelectDelay(isOver: false) }
        return Timers.of(clock).map { TimerDelay(plain, $0) } ?? TaskDelay(duration, clock)
    }

    /// The same for the continuous clock.
    @usableFromInline
    static func make(_ duration: Duration) -> SelectDelay {
        if duration <= .zero { return SelectDelay(isOver: true) }
        if duration >= .never { return SelectDelay(isOver: false) }
        return TimerDelay(duration, .continuous)
    }
}

/// What a selection needs to wait for a time.
///
/// Safe: of trivial types; used by the branch that it was made for.
@safe @usableFromInline
struct DelaySlot {
    // As large as either of these: the entry of the timers, or what a future puts there, and the future.
    private let room: (UInt, UInt, UInt, UInt, UInt)
}

extension Duration {
    /// 34,000 years or longer: no clock gets there, and none can count far beyond it.
    fileprivate static let never = Duration.seconds(Int64(1) << 40)
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
        // Not with the other locks held: all timers of a clock share one lock.
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
    private let start: @Sendable () -> CoFuture<Void>

    init<C: Clock>(_ duration: C.Duration, _ clock: C) {
        let duration = BridgeTimeout.limited(duration)
        self.start = { CoFuture { try await Task.sleep(for: duration, clock: clock) } }
        super.init(isOver: false)
    }

    override var traits: SelectTraits { .finishes }

    // The future is in the slot, not here: one branch may be used by several selections at once.
    override func answer(_ operation: SelectOperation, _ waiter: WaiterReference?) -> SelectAnswer {
        guard let waiter else { return .no }
        if operation == .prepare {
            // Safe: released below, by the same selection.
            unsafe waiter.timer = unsafe Unmanaged.passRetained(self.start())
        }
        guard let timer = unsafe waiter.timer else { preconditionFailure("BUG: a branch was not prepared") }
        if operation == .finish {
            // Before it is released: its observers, and what it keeps alive.
            unsafe timer.takeUnretainedValue().cancel()
            unsafe timer.release()
            return .no
        }
        return unsafe timer.takeUnretainedValue().answer(operation, waiter)
    }
}

extension WaiterReference {
    /// The future that a branch with a clock of its own waits for.
    ///
    /// Safe: the slot has room for it, behind the word that the future itself uses.
    fileprivate var timer: Unmanaged<CoFuture<Void>>? {
        get {
            guard let slot = unsafe self.address.pointee.slot else { preconditionFailure("BUG: a waiter without room") }
            return unsafe slot.load(fromByteOffset: 8, as: Unmanaged<CoFuture<Void>>?.self)
        }
        nonmutating set {
            guard let slot = unsafe self.address.pointee.slot else { preconditionFailure("BUG: a waiter without room") }
            unsafe slot.storeBytes(of: newValue, toByteOffset: 8, as: Unmanaged<CoFuture<Void>>?.self)
        }
    }
}
