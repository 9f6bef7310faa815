// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SelectBranch {
    /// Happens after a duration.
    ///
    /// - Parameters:
    ///   - duration: How long, in the clock's own duration type. Zero or less happens at once, more than 30,000 years
    ///     never.
    ///   - clock: The clock that measures it.
    ///   - then: Called if this branch happens.
    /// - Returns: The branch.
    /// - Complexity: The wait is O(log *n*) in the number of timed waits on the same clock. `ContinuousClock` and
    ///   `SuspendingClock` have shared timers, which need no thread of Swift's pool, nor of Dispatch's; for another
    ///   clock each wait starts a task that sleeps.
    @inlinable
    public static func after<C: Clock>(
        _ duration: C.Duration,
        clock: C = .continuous,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        // If the clock's type is known, these are constants.
        if C.self == ContinuousClock.self, let duration = duration as? Duration {
            return SelectBranch(after: .make(duration), then)
        }
        return SelectBranch(after: .make(duration, clock), then)
    }
}

// MARK: - The branches themselves

// The closures of a branch capture nothing: see `AnySelectBranch`.

extension SelectBranch {
    /// Happens after a duration.
    @inlinable
    init(after delay: SelectDelay, _ then: @escaping () throws -> Output) {
        self.init(
            AnySelectBranch(
                at: delay,
                .erasing(PlainHandler(then)),
                slot: DelaySlot.self,
                traits: delay.traits,
                operate: { $1.selectable(as: SelectDelay.self).answer($0, $2) },
                run: { branch, waiter, output in
                    guard waiter != nil || branch.selectable(as: SelectDelay.self).isOver else { return false }
                    output.store(try branch.handler(as: PlainHandler<Output>.self).call())
                    return true
                }
            )
        )
    }
}
