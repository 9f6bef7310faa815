// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The actions that run once if a wait is cancelled: a latch that may be armed before and after.
struct CancelActions: ~Copyable, Sendable {
    /// | State       | Holds                       | Next                    |
    /// |-------------|-----------------------------|-------------------------|
    /// | `pending`   | actions, oldest first       | `fired`, `discarded`    |
    /// | `fired`     | nothing; new ones run now   | none                    |
    /// | `discarded` | nothing; new ones never run | none                    |
    // Not private: the compiler (6.3.1) emits a broken module for a private type in the `Mutex` of a ~Copyable type.
    enum State {
        case pending([Action])
        case fired
        case discarded
    }

    /// An action, moved to the one thread that runs or releases it.
    ///
    /// Safe: it came as `sending`, so no other code has it; each is run or released once, by the thread that took it
    /// out.
    struct Action: @unchecked Sendable {
        let run: () -> Void
    }

    private let state = Mutex(State.pending([]))

    /// Registers an action.
    ///
    /// Runs it here and now if the wait has been cancelled already.
    func add(_ action: Action) {
        // Never released under the lock: the caller's frame keeps `action` until this returns.
        let runsNow = self.state.withLock { state in
            switch state {
            case .pending(var actions):
                state = .discarded
                actions.append(action)
                state = .pending(actions)
                return false
            case .fired:
                return true
            case .discarded:
                return false
            }
        }
        if runsNow { action.run() }
    }

    /// Runs all actions, oldest first, once.
    func fire() {
        for action in self.take(leaving: .fired) { action.run() }
    }

    /// Releases all actions: the wait ended otherwise.
    func discard() { releaseHere(self.take(leaving: .discarded)) }

    private func take(leaving next: State) -> [Action] {
        self.state.withLock { state in
            switch state {
            case .pending(let actions):
                state = next
                return actions
            case .fired, .discarded:
                return []
            }
        }
    }
}
