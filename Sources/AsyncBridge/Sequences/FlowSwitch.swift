// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Pauses and resumes a source in the order that its buffer needs, although several threads ask for it.
///
/// The code that changed the buffer calls ``update()``, which looks at what is wanted *now*, runs the action unless it
/// was the last one run, and looks again. So a late action is followed by one that undoes it. Once the sequence has
/// ended nothing is wanted any more, and no action starts.
///
/// Why not the `SwitchStateMachine` of AsyncBridgeMacros: its changes may be async, so it keeps what is wanted until
/// the change is done. Here a change is a call, and what is wanted is the sequence's to say: a copy could be out of
/// date.
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
    /// What the buffer needs; `nil` after the end.
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

    /// Brings the source to the state that its buffer needs.
    ///
    /// Only as an action of the source that the machine has counted: the teardown waits for this to return.
    func update() {
        while let wanted = self.wanted(), let flow = self.begin(wanted) {
            switch flow {
            case .paused: self.pause()
            case .flowing: self.resume()
            }
            // Race: a thread that comes before this sees `turning` and leaves it to us; so we look again after it.
            self.end(at: flow)
        }
    }

    // Never inlined, like `begin`: an action that waits in a coroutine may come back on another thread, and an inlined
    // lock remembers its thread. It is an indirect call, which Scripts/check-thread-locals does not follow.
    @inline(never)
    private func end(at flow: Flow) { self.state.withLock { $0 = .at(flow) } }

    @inline(never)
    private func begin(_ wanted: Flow) -> Flow? {
        self.state.withLock { state in
            guard case .at(let flow) = state, flow != wanted else { return nil }
            state = .turning(to: wanted)
            return wanted
        }
    }
}
