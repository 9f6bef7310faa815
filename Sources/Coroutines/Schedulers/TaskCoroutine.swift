// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A coroutine or child in its own task, seen from outside.
///
/// It exists before its task does, so that it is in its scope before the first line of its code runs: cancelling the
/// scope cancels it too.
package final class TaskCoroutine: Sendable {
    /// | State       | Holds    | Next                   |
    /// |-------------|----------|------------------------|
    /// | `ahead`     | nothing  | `started`, `cancelled` |
    /// | `started`   | the task | `cancelled`            |
    /// | `cancelled` | nothing  | none                   |
    private enum State {
        case ahead
        case started(Task<Void, Never>)
        case cancelled
    }

    private let state = Mutex(State.ahead)
    private let end = EndOfCoroutine()

    package init() {}

    // MARK: For its task

    /// The task has begun: cancels it if the coroutine was cancelled before.
    package func begin() {
        let isCancelled = self.state.withLock { state in
            switch state {
            case .ahead, .started: false
            case .cancelled: true
            }
        }
        // Safe: the task cancels itself, and does not keep the reference.
        if isCancelled { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
    }

    /// Its code has ended.
    package func finish() { self.end.come() }

    // MARK: For the code that starts it

    /// The task was made, and may already have begun or ended.
    package func start(_ task: Task<Void, Never>) {
        let isCancelled = self.state.withLock { state in
            switch state {
            case .ahead:
                state = .started(task)
                return false
            case .started: preconditionFailure("BUG: a coroutine has two tasks")
            case .cancelled: return true
            }
        }
        if isCancelled { task.cancel() }
    }

    // MARK: For others

    package var isCancelled: Bool {
        switch self.state.withLock({ $0 }) {
        case .ahead: false
        case .started(let task): task.isCancelled
        case .cancelled: true
        }
    }

    package func cancel() {
        let task = self.state.withLock { state in
            switch state {
            case .ahead:
                state = .cancelled
                return nil as Task<Void, Never>?
            case .started(let task):
                state = .cancelled
                return task
            case .cancelled: return nil
            }
        }
        task?.cancel()
    }

    package func whenComplete(_ observer: @escaping @Sendable () -> Void) { self.end.observe(observer) }
}

/// The end of a coroutine, for its observers.
package final class EndOfCoroutine: Sendable {
    /// | State   | Holds                        | Next   |
    /// |---------|------------------------------|--------|
    /// | `ahead` | the observers, oldest first  | `past` |
    /// | `past`  | nothing; new ones are called | none   |
    private enum State {
        case ahead([@Sendable () -> Void])
        case past
    }

    private let state = Mutex(State.ahead([]))

    package init() {}

    /// Calls a closure at the end; now, if it was before.
    package func observe(_ observer: @escaping @Sendable () -> Void) {
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
    package func come() {
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
