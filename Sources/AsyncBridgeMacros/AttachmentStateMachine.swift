// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Whether a delegate is attached: with the first loop, until the last one ends, one change at a time.
///
/// | State      | Means                                   | Next                   |
/// |------------|-----------------------------------------|------------------------|
/// | `detached` | no loop had it attached                 | `changing`             |
/// | `changing` | one thread attaches or detaches it now  | `attached`, `detached` |
/// | `attached` | the sender has it                       | `changing`             |
///
/// Invariant: a thread that got `attach` or `detach` calls ``step(having:)`` again, until it gets `done`.
package struct AttachmentStateMachine {
    private enum State {
        case detached
        case changing(toAttached: Bool)
        case attached
    }

    private var state = State.detached
    private var loops = 0

    package init() {}

    /// A loop begins.
    package mutating func begin() { self.loops += 1 }

    /// A loop has ended.
    package mutating func end() { self.loops -= 1 }

    /// What a thread does next, outside the lock.
    package enum StepAction: Equatable {
        case attach
        case detach
        /// Nothing: there is nothing to change, or another thread is changing it.
        case done
    }

    /// A thread may have something to do, or has done it.
    ///
    /// - Parameter done: Whether it has done what the step before told it.
    /// - Returns: What to do.
    package mutating func step(having done: Bool = false) -> StepAction {
        if done, case .changing(let toAttached) = self.state { self.state = toAttached ? .attached : .detached }
        switch self.state {
        case .detached:
            guard self.loops > 0 else { return .done }
            self.state = .changing(toAttached: true)
            return .attach
        case .attached:
            guard self.loops == 0 else { return .done }
            self.state = .changing(toAttached: false)
            return .detach
        case .changing:
            return .done
        }
    }
}
