// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
/// Who waits for something of an event loop, and whether the loop still runs: every decision, and nothing else.
///
/// | State    | Holds       | Means                                             | Next                        |
/// |----------|-------------|---------------------------------------------------|-----------------------------|
/// | `asking` | the waiters | the loop has been asked to announce its end       | `watched`, `silent`, `over` |
/// | `watched`| the waiters | it will announce its end                          | `over`                      |
/// | `silent` | nothing     | it is of a kind that does not                     | none                        |
/// | `over`   | nothing     | it was shut down                                  | none                        |
///
/// Invariant: a waiter that joined leaves this machine once: by `leave`, or inside an action.
package struct LoopEndState<Waiter>: ~Copyable {
    private enum State: ~Copyable {
        case asking(Waiters)
        case watched(Waiters)
        case silent
        case over
    }

    private var state = State.asking(Waiters())

    package init() {}

    private init(_ state: consuming State) { self.state = state }

    /// What the caller of ``join(_:)`` does.
    package enum JoinAction {
        /// It is kept under this number, for ``leave(_:)``.
        case wait(Int)
        /// Nothing: the loop cannot tell.
        case none
        /// Tell the waiter that the loop has ended.
        case tell
    }

    /// Something begins to wait.
    ///
    /// - Parameter waiter: What waits.
    /// - Returns: What to do.
    package mutating func join(_ waiter: Waiter) -> JoinAction {
        switch consume self.state {
        case .asking(var waiters):
            let number = waiters.add(waiter)
            self = Self(.asking(waiters))
            return .wait(number)
        case .watched(var waiters):
            let number = waiters.add(waiter)
            self = Self(.watched(waiters))
            return .wait(number)
        case .silent:
            self = Self(.silent)
            return .none
        case .over:
            self = Self(.over)
            return .tell
        }
    }

    /// What the caller of ``leave(_:)`` does.
    package enum LeaveAction {
        /// Release the waiter, outside the lock. It was not told.
        case release(Waiter)
        /// Nothing: it was told that the loop has ended.
        case told
        /// Nothing: the loop turned out to be silent, so the waiter was never told.
        case untold
    }

    /// What waited has its answer, or was dropped.
    ///
    /// - Parameter number: From ``JoinAction/wait(_:)``; used once.
    /// - Returns: What to do.
    package mutating func leave(_ number: Int) -> LeaveAction {
        switch consume self.state {
        case .asking(var waiters):
            let waiter = waiters.remove(number)
            self = Self(.asking(waiters))
            return .release(waiter)
        case .watched(var waiters):
            let waiter = waiters.remove(number)
            self = Self(.watched(waiters))
            return .release(waiter)
        case .silent:
            self = Self(.silent)
            return .untold
        case .over:
            self = Self(.over)
            return .told
        }
    }

    /// Whether the loop has ended.
    package var isOver: Bool {
        switch self.state {
        case .asking: false
        case .watched: false
        case .silent: false
        case .over: true
        }
    }

    /// The loop will announce its end.
    package mutating func watch() {
        switch consume self.state {
        case .asking(let waiters): self = Self(.watched(waiters))
        case .watched(let waiters): self = Self(.watched(waiters))
        case .silent: self = Self(.silent)
        case .over: self = Self(.over)
        }
    }

    /// The loop is of a kind that does not announce its end.
    ///
    /// - Returns: The waiters, to be released outside the lock.
    package mutating func beSilent() -> [Waiter] {
        switch consume self.state {
        case .asking(let waiters):
            self = Self(.silent)
            return waiters.all
        case .watched(let waiters):
            self = Self(.silent)
            return waiters.all
        case .silent:
            self = Self(.silent)
            return []
        case .over:
            self = Self(.over)
            return []
        }
    }

    /// The loop has ended, or has dropped the question.
    ///
    /// - Returns: The waiters to tell, in the order of their numbers.
    package mutating func end() -> [Waiter] {
        switch consume self.state {
        case .asking(let waiters):
            self = Self(.over)
            return waiters.all
        case .watched(let waiters):
            self = Self(.over)
            return waiters.all
        // Its question was taken back, because it is silent.
        case .silent:
            self = Self(.silent)
            return []
        case .over:
            self = Self(.over)
            return []
        }
    }
}

extension LoopEndState {
    /// Waiters that may leave in any order, each in constant time.
    private struct Waiters {
        private enum Place {
            case taken(Waiter)
            case free(next: Int?)
        }

        private var places: [Place] = []
        private var firstFree: Int?

        mutating func add(_ waiter: Waiter) -> Int {
            guard let number = self.firstFree, case .free(let next) = self.places[number] else {
                self.places.append(.taken(waiter))
                return self.places.count - 1
            }
            self.firstFree = next
            self.places[number] = .taken(waiter)
            return number
        }

        mutating func remove(_ number: Int) -> Waiter {
            guard case .taken(let waiter) = self.places[number] else {
                preconditionFailure("BUG: a waiter has left its event loop twice")
            }
            self.places[number] = .free(next: self.firstFree)
            self.firstFree = number
            return waiter
        }

        var all: [Waiter] {
            self.places.compactMap { if case .taken(let waiter) = $0 { waiter } else { nil } }
        }
    }
}
#endif
