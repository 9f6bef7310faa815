// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A coroutine within a task of its own, seen from outside.
struct TaskCoroutine: Sendable {
    private let task: Task<Void, Never>
    private let end: EndOfCoroutine

    init(_ task: Task<Void, Never>, ending end: EndOfCoroutine) {
        self.task = task
        self.end = end
    }

    var isCancelled: Bool { self.task.isCancelled }

    func cancel() { self.task.cancel() }

    func whenComplete(_ observer: @escaping @Sendable () -> Void) { self.end.observe(observer) }
}

/// The end of a coroutine, for those who want to know of it.
final class EndOfCoroutine: Sendable {
    /// | State   | Holds                             | Next    |
    /// |---------|-----------------------------------|---------|
    /// | `ahead` | the observers, the first to come first | `past`  |
    /// | `past`  | nothing; new ones are called      | none    |
    private enum State {
        case ahead([@Sendable () -> Void])
        case past
    }

    private let state = Mutex(State.ahead([]))

    /// Calls a closure at the end; now, if it was before.
    func observe(_ observer: @escaping @Sendable () -> Void) {
        let isPast = self.state.withLock { state in
            switch state {
            case .ahead(var observers):
                state = .past
                observers.append(observer)
                state = .ahead(observers)
                return false
            case .past:
                return true
            }
        }
        if isPast { observer() }
    }

    /// The coroutine has ended.
    func come() {
        let observers = self.state.withLock { state -> [@Sendable () -> Void] in
            switch state {
            case .ahead(let observers):
                state = .past
                return observers
            case .past:
                return []
            }
        }
        for observer in observers { observer() }
    }
}
