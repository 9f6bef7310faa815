// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeCore

/// What other threads do to a coroutine on a scheduler: they cancel it, and wait for its end.
///
/// | State       | Holds                                       | Next                            |
/// |-------------|---------------------------------------------|---------------------------------|
/// | `going`     | nothing; it runs, or its scheduler has it   | `waiting`, `cancelled`, `ended` |
/// | `waiting`   | the operation or callback that it waits for | `going`, `cancelled`            |
/// | `cancelled` | the operation in which it was cancelled     | `ended`                         |
/// | `ended`     | nothing                                     | none                            |
///
/// Invariant: an observer leaves this machine once, to be called.
package struct ScheduledCoroutineState {
    package typealias Observer = @Sendable () -> Void

    /// A wait to which a cancellation must be passed on.
    package enum Wait {
        /// An operation, by its task.
        case operation(Task<Void, Never>)
        /// A callback.
        case callback(OneShotWait)
        /// A callback that comes in any case, and sooner if this is called.
        case call(@Sendable () -> Void)

        package func cancel() {
            switch self {
            case .operation(let task): task.cancel()
            case .callback(let wait): wait.end(.cancelled)
            case .call(let cancel): cancel()
            }
        }
    }

    private enum Stage {
        case going
        case waiting(Wait)
        /// With the operation: a second call of ``cancel()`` must not return before that is cancelled, which the first
        /// one may be about to do.
        case cancelled(Task<Void, Never>?)
        case ended
    }

    private var stage = Stage.going

    /// The future that is cancelled with the coroutine, while it waits with that policy.
    package var propagated: AnyCoFuture?

    private var observers: [Observer] = []

    package init() {}

    /// Whether the coroutine is cancelled, and has not ended.
    package var isCancelled: Bool {
        switch self.stage {
        case .cancelled: true
        case .going, .waiting, .ended: false
        }
    }

    /// What the caller of ``begin(_:)`` does after it has left the lock.
    package enum WaitAction {
        /// Nothing: the wait goes on.
        case proceed
        /// Cancel what it waits for: the coroutine is already cancelled.
        case cancelWait
    }

    /// The coroutine waits for an operation or a callback.
    package mutating func begin(_ wait: Wait) -> WaitAction {
        switch self.stage {
        case .going:
            self.stage = .waiting(wait)
            return .proceed
        case .cancelled:
            return .cancelWait
        case .waiting, .ended:
            preconditionFailure("BUG: a coroutine waits for two things, or after its end")
        }
    }

    /// What it waits for has come or ended.
    ///
    /// - Returns: The wait, to be released after the lock.
    package mutating func endWait() -> Wait? {
        switch self.stage {
        case .waiting(let wait):
            self.stage = .going
            return wait
        case .cancelled(let operation):
            self.stage = .cancelled(nil)
            return operation.map { .operation($0) }
        case .going, .ended:
            preconditionFailure("BUG: a wait ended, but no coroutine was waiting")
        }
    }

    /// What the caller of ``cancel()`` does after it has left the lock.
    package enum CancelAction {
        /// Nothing: it is over.
        case ignore
        /// Note it: the next wait throws.
        case note
        /// Note it, and cancel what the coroutine waits for.
        case noteAndCancel(Wait)
    }

    /// The coroutine is cancelled, perhaps again: all but a closure that stops something is repeated.
    package mutating func cancel() -> CancelAction {
        switch self.stage {
        case .going:
            self.stage = .cancelled(nil)
            return .note
        case .waiting(.operation(let operation)):
            self.stage = .cancelled(operation)
            return .noteAndCancel(.operation(operation))
        case .waiting(let wait):
            self.stage = .cancelled(nil)
            return .noteAndCancel(wait)
        case .cancelled(let operation?):
            return .noteAndCancel(.operation(operation))
        case .cancelled(nil):
            return .note
        case .ended:
            return .ignore
        }
    }

    /// The coroutine has ended.
    ///
    /// - Returns: The observers to call after the lock, oldest first.
    package mutating func end() -> [Observer] {
        switch self.stage {
        case .going, .cancelled:
            self.stage = .ended
            defer { self.observers = [] }
            return self.observers
        case .waiting, .ended:
            preconditionFailure("BUG: a coroutine ended during a wait, or twice")
        }
    }

    /// What the caller of ``observe(_:)`` does after it has left the lock.
    package enum ObserveAction {
        /// Nothing: it is called at the end.
        case keep
        /// Call the observer: it has already ended.
        case call
    }

    /// An observer wants to know of the end.
    package mutating func observe(_ observer: @escaping Observer) -> ObserveAction {
        switch self.stage {
        case .going, .waiting, .cancelled:
            self.observers.append(observer)
            return .keep
        case .ended:
            return .call
        }
    }
}
