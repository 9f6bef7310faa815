// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The decisions of a queue of calls, and nothing else.
///
/// | State  | Holds                                                   | Next           |
/// |--------|---------------------------------------------------------|----------------|
/// | `free` | the number of the next call                             | `busy`         |
/// | `busy` | the call whose turn it is, and the calls in line behind | `busy`, `free` |
///
/// A call in line has entered, and later waits. A call that is cancelled there leaves the line; the others keep their
/// places.
///
/// Invariant: one call at a time has the turn, in the order of their numbers; a waiter leaves the machine once,
/// inside an action.
package struct CallQueueStateMachine<Waiter: Sendable>: ~Copyable {
    private enum State: ~Copyable {
        case free(next: UInt64)
        case busy(Line)
    }

    /// The calls of a queue that is in use.
    private struct Line: ~Copyable {
        /// The call whose turn it is.
        var current: UInt64
        /// The number of the next call.
        var next: UInt64
        /// The calls behind it, by their numbers, without those that have left.
        var behind: [UInt64: Place] = [:]

        /// Gives the turn to the next call that is still in line.
        ///
        /// - Returns: Its place; `nil` if there is none.
        /// - Complexity: O(1) amortised: each number is passed once.
        mutating func advance() -> Place? {
            while self.current + 1 < self.next {
                self.current += 1
                if let place = self.behind.removeValue(forKey: self.current) { return place }
            }
            return nil
        }
    }

    /// A call in line.
    private enum Place {
        /// Its task does not wait yet.
        case entered
        /// Its task waits.
        case waiting(Waiter)
    }

    private var state: State

    package init() { self.state = .free(next: 0) }

    private init(_ state: consuming State) { self.state = state }

    /// Whether no call is in the queue: for the tests.
    package var isFree: Bool {
        switch self.state {
        case .free: true
        case .busy: false
        }
    }

    /// A call is made: it goes to the end of the line, or has the turn at once.
    ///
    /// - Returns: Its number.
    package mutating func enter() -> UInt64 {
        switch consume self.state {
        case .free(let next):
            self = Self(.busy(Line(current: next, next: next + 1)))
            return next
        case .busy(var line):
            let number = line.next
            line.behind[number] = .entered
            line.next += 1
            self = Self(.busy(line))
            return number
        }
    }

    /// What the caller of ``wait(_:of:)`` does after it has left the lock.
    package enum WaitAction {
        /// Let the call start: it is its turn.
        case start(Waiter)
        /// Let the call end: it was cancelled, and is not in line any more.
        case cancel(Waiter)
        /// The machine keeps the waiter.
        case keep
    }

    /// The task of a call waits for its turn.
    package mutating func wait(_ waiter: Waiter, of number: UInt64) -> WaitAction {
        switch consume self.state {
        case .free(let next):
            self = Self(.free(next: next))
            return .cancel(waiter)
        case .busy(var line):
            let action: WaitAction
            if line.current == number {
                action = .start(waiter)
            } else if line.behind[number] != nil {
                line.behind[number] = .waiting(waiter)
                action = .keep
            } else {
                action = .cancel(waiter)
            }
            self = Self(.busy(line))
            return action
        }
    }

    /// What the caller of ``cancel(_:)`` does after it has left the lock.
    package enum CancelAction {
        /// Let the call end: it has left the line.
        case cancel(Waiter)
        /// Nothing: the call sees its cancellation itself, when it starts or waits.
        case ignore
    }

    /// A call is cancelled.
    package mutating func cancel(_ number: UInt64) -> CancelAction {
        switch consume self.state {
        case .free(let next):
            self = Self(.free(next: next))
            return .ignore
        case .busy(var line):
            let place = line.behind.removeValue(forKey: number)
            self = Self(.busy(line))
            switch place {
            case .waiting(let waiter): return .cancel(waiter)
            case .entered, nil: return .ignore
            }
        }
    }

    /// What the caller of ``end(_:)`` does after it has left the lock.
    package enum EndAction {
        /// Let the next call start.
        case start(Waiter)
        /// Nothing: no call waits, or the call that ended had left the line before its turn.
        case ignore
    }

    /// A call has ended: its completion has returned.
    package mutating func end(_ number: UInt64) -> EndAction {
        switch consume self.state {
        case .free(let next):
            self = Self(.free(next: next))
            return .ignore
        case .busy(var line):
            guard line.current == number else {
                self = Self(.busy(line))
                return .ignore
            }
            guard let place = line.advance() else {
                self = Self(.free(next: line.next))
                return .ignore
            }
            self = Self(.busy(line))
            switch place {
            case .waiting(let waiter): return .start(waiter)
            // It sees that it is its turn when it waits.
            case .entered: return .ignore
            }
        }
    }
}
