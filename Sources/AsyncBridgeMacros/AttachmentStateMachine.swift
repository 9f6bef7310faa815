// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Whether a delegate is attached to one sender: while it is wanted there, one change at a time.
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
    private var isWanted = false

    package init() {}

    /// A loop begins that wants the sender's events.
    package mutating func begin() { self.isWanted = true }

    /// The last loop has ended.
    package mutating func end() { self.isWanted = false }

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
            guard self.isWanted else { return .done }
            self.state = .changing(toAttached: true)
            return .attach
        case .attached:
            guard !self.isWanted else { return .done }
            self.state = .changing(toAttached: false)
            return .detach
        case .changing:
            return .done
        }
    }

    /// Whether there is nothing to remember.
    package var isOver: Bool {
        if case .detached = self.state { !self.isWanted } else { false }
    }
}
