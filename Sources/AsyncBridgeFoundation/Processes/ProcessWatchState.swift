// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if os(macOS) || !canImport(Darwin)
/// The end of a process, of which Foundation and the system tell in any order, and only one of them perhaps.
///
/// | State     | Holds                                                        | Next            |
/// |-----------|--------------------------------------------------------------|-----------------|
/// | `running` | nothing                                                      | `seen`, `told`  |
/// | `seen`    | how it ended; Foundation, which has not noticed yet, has time | `told`          |
/// | `told`    | nothing: the caller knows                                    | none            |
///
/// Invariant: the end leaves this machine exactly once.
package struct ProcessWatchState {
    private enum State {
        case running
        case seen(ProcessEnd)
        case told
    }

    private var state = State.running

    package init() {}

    /// Whether looking at the process is of no use any more.
    package var isOver: Bool {
        switch self.state {
        case .running: false
        case .seen, .told: true
        }
    }

    /// What the caller does after it has left the lock.
    package enum Action: Equatable {
        /// Tell the end.
        case tell(ProcessEnd)

        /// Give Foundation time, then call ``foundationHadTime()``.
        case giveFoundationTime

        /// Nothing to do.
        case none
    }

    /// Foundation has noticed the end, and reaped the process.
    package mutating func foundationNoticed(_ end: ProcessEnd) -> Action {
        switch self.state {
        case .running, .seen:
            self.state = .told
            return .tell(end)
        // Race: it was late.
        case .told:
            return .none
        }
    }

    /// The system has told the end.
    package mutating func see(_ end: ProcessEnd) -> Action {
        switch self.state {
        case .running:
            self.state = .seen(end)
            return .giveFoundationTime
        case .seen, .told:
            return .none
        }
    }

    /// Foundation has had its time.
    package mutating func foundationHadTime() -> Action {
        switch self.state {
        case .seen(let end):
            self.state = .told
            return .tell(end)
        case .running, .told:
            return .none
        }
    }
}
#endif
