// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Pauses and resumes a source in the order that its buffer wishes, although several threads say so.
///
/// Whoever changed the buffer calls ``update()``, which looks at what is wanted *now*, runs the action if it is not
/// what was run last, and looks again. So an action that comes too late is followed by the one that undoes it. Once the
/// sequence has ended nothing is wanted any more, and no action starts.
final class FlowSwitch: Sendable {
    /// | State     | Meaning                                    | Next      |
    /// |-----------|--------------------------------------------|-----------|
    /// | `at`      | the source flows, or it does not           | `turning` |
    /// | `turning` | an action runs on some thread, to get there| `at`      |
    private enum State {
        case at(Flow)
        case turning(to: Flow)
    }

    enum Flow {
        case flowing
        case paused
    }

    private let state = Mutex(State.at(.flowing))
    private let pause: @Sendable () -> Void
    private let resume: @Sendable () -> Void
    /// What the buffer wants; `nil` after the end.
    private let wanted: @Sendable () -> Flow?

    init(
        pause: @escaping @Sendable () -> Void,
        resume: @escaping @Sendable () -> Void,
        wanted: @escaping @Sendable () -> Flow?
    ) {
        self.pause = pause
        self.resume = resume
        self.wanted = wanted
    }

    /// Brings the source to what its buffer wants.
    ///
    /// Only as an action of the source that the machine has counted: the teardown waits for this to return.
    func update() {
        while let wanted = self.wanted(), let flow = self.begin(wanted) {
            switch flow {
            case .paused: self.pause()
            case .flowing: self.resume()
            }
            // Race: one who comes before this sees `turning` and leaves it to us; so we look again after it.
            self.state.withLock { $0 = .at(flow) }
        }
    }

    private func begin(_ wanted: Flow) -> Flow? {
        self.state.withLock { state in
            guard case .at(let flow) = state, flow != wanted else { return nil }
            state = .turning(to: wanted)
            return wanted
        }
    }
}
