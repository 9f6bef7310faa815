// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The life of a transfer, as far as counting abandoned ones needs it.
///
/// | State       | Meaning                                     | Next                 |
/// |-------------|---------------------------------------------|----------------------|
/// | `running`   | a caller waits for it                       | `abandoned`, `ended` |
/// | `abandoned` | it still runs, and no caller waits for it   | `ended`              |
/// | `ended`     | Foundation has dropped it                   | —                    |
///
/// Invariant: a transfer is counted exactly while it is `abandoned`.
struct TransferState: ~Copyable {
    private enum State {
        case running
        case abandoned
        case ended
    }

    private var state = State.running

    /// What the caller does after it has left the lock.
    enum Action {
        /// One more abandoned transfer runs.
        case count

        /// One abandoned transfer has ended.
        case uncount

        /// Nothing to do.
        case none
    }

    /// No caller waits for it any more.
    mutating func abandon() -> Action {
        switch self.state {
        case .running:
            self.state = .abandoned
            return .count
        // Race: it ended just before, or was abandoned twice, by a task and a timeout.
        case .abandoned, .ended:
            return .none
        }
    }

    /// Its last call back has come, or can no longer come.
    mutating func end() -> Action {
        switch self.state {
        case .running:
            self.state = .ended
            return .none
        case .abandoned:
            self.state = .ended
            return .uncount
        case .ended:
            return .none
        }
    }
}
