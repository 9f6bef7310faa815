// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Whether a delegate is attached to one sender, or a sender is paused: as it is wanted, one change at a time.
///
/// | State      | Means                               | Next        |
/// |------------|-------------------------------------|-------------|
/// | `off`      | detached; or not paused             | `changing`  |
/// | `changing` | one thread or task turns it now     | `on`, `off` |
/// | `on`       | the sender has it; or it is paused  | `changing`  |
///
/// Why not the hub's `FlowSwitch`: see there.
///
/// Invariant: who got `turnOn` or `turnOff` calls ``step(having:)`` again, until it gets `done` or `stopped`.
package struct SwitchStateMachine {
    private enum State {
        case off
        case changing(toOn: Bool)
        case on
    }

    private enum Wish {
        case off
        case on
        /// That nothing changes any more.
        case whatItIs
    }

    private var state = State.off
    private var wish = Wish.off

    package init() {}

    /// It shall be on, or off, unless it was stopped.
    package mutating func want(on: Bool) {
        if case .whatItIs = self.wish { return }
        self.wish = on ? .on : .off
    }

    /// It stays as it is, or as it becomes now.
    package mutating func stop() { self.wish = .whatItIs }

    /// What a thread does next, outside the lock.
    package enum StepAction: Equatable {
        case turnOn
        case turnOff
        /// Nothing: there is nothing to change, or another thread is changing it.
        case done
        /// Nothing, and nothing will be: it is stopped, and nobody is changing it.
        case stopped
    }

    /// A thread may have something to do, or has done it.
    ///
    /// - Parameter done: Whether it has done what the step before told it.
    /// - Returns: What to do.
    package mutating func step(having done: Bool = false) -> StepAction {
        if done, case .changing(let toOn) = self.state { self.state = toOn ? .on : .off }
        switch (self.state, self.wish) {
        case (.changing, _), (.off, .off), (.on, .on):
            return .done
        case (.off, .on):
            self.state = .changing(toOn: true)
            return .turnOn
        case (.on, .off):
            self.state = .changing(toOn: false)
            return .turnOff
        case (.off, .whatItIs), (.on, .whatItIs):
            return .stopped
        }
    }

    /// Whether there is nothing to remember.
    package var isOver: Bool {
        switch (self.state, self.wish) {
        case (.off, .off), (.off, .whatItIs): true
        case (.off, .on), (.changing, _), (.on, _): false
        }
    }
}
