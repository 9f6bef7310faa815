// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Pauses and resumes a source in the order that its buffer wishes, although several threads say so.
///
/// Whoever changed the buffer calls ``update()``, which looks at what is wanted *now*, runs the action if it is not what
/// was run last, and looks again. So an action that comes too late is followed by the one that undoes it.
final class FlowSwitch: Sendable {
    /// | State     | Meaning                                    | Next      |
    /// |-----------|--------------------------------------------|-----------|
    /// | `at`      | the source flows, or it does not           | `turning` |
    /// | `turning` | an action runs on some thread, to get there| `at`      |
    private enum State {
        case at(Flow)
        case turning(to: Flow)
    }

    private enum Flow {
        case flowing
        case paused
    }

    private let state = Mutex(State.at(.flowing))
    private let pause: @Sendable () -> Void
    private let resume: @Sendable () -> Void
    private let wantsPause: @Sendable () -> Bool

    init(
        pause: @escaping @Sendable () -> Void,
        resume: @escaping @Sendable () -> Void,
        wantsPause: @escaping @Sendable () -> Bool
    ) {
        self.pause = pause
        self.resume = resume
        self.wantsPause = wantsPause
    }

    /// Brings the source to what its buffer wants.
    func update() {
        while let flow = self.begin(self.wantsPause() ? .paused : .flowing) {
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
