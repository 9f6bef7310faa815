// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What others than its own thread do to a coroutine on a scheduler: they cancel it, and wait for its end.
///
/// | State       | Holds                                       | Next                            |
/// |-------------|---------------------------------------------|---------------------------------|
/// | `going`     | nothing; it runs, or its scheduler has it   | `waiting`, `cancelled`, `ended` |
/// | `waiting`   | the task of the operation that it waits for | `going`, `cancelled`            |
/// | `cancelled` | nothing; whatever it waits for is cancelled | `ended`                         |
/// | `ended`     | nothing                                     | none                            |
///
/// Invariant: an observer leaves this machine once, to be called.
struct ScheduledCoroutineState {
    typealias Observer = @Sendable () -> Void

    private enum Stage {
        case going
        case waiting(Task<Void, Never>)
        case cancelled
        case ended
    }

    private var stage = Stage.going
    private var observers: [Observer] = []

    /// What the caller of ``wait(for:)`` does after it has left the lock.
    enum WaitAction {
        /// Nothing: the operation goes on.
        case proceed
        /// Cancel the operation: the coroutine was cancelled before.
        case cancelOperation
    }

    /// The coroutine waits for an operation.
    mutating func wait(for operation: Task<Void, Never>) -> WaitAction {
        switch self.stage {
        case .going:
            self.stage = .waiting(operation)
            return .proceed
        case .cancelled:
            return .cancelOperation
        case .waiting, .ended:
            preconditionFailure("BUG: a coroutine waits for two operations, or after its end")
        }
    }

    /// The operation has ended.
    ///
    /// - Returns: Its task, to be released after the lock.
    mutating func endWait() -> Task<Void, Never>? {
        switch self.stage {
        case .waiting(let operation):
            self.stage = .going
            return operation
        case .cancelled:
            return nil
        case .going, .ended:
            preconditionFailure("BUG: an operation ended for which no coroutine waits")
        }
    }

    /// What the caller of ``cancel()`` does after it has left the lock.
    enum CancelAction {
        /// Nothing: it was cancelled before, or is over.
        case ignore
        /// Note it: the next wait throws.
        case note
        /// Note it, and cancel what the coroutine waits for.
        case noteAndCancelOperation(Task<Void, Never>)
    }

    /// Somebody cancels the coroutine.
    mutating func cancel() -> CancelAction {
        switch self.stage {
        case .going:
            self.stage = .cancelled
            return .note
        case .waiting(let operation):
            self.stage = .cancelled
            return .noteAndCancelOperation(operation)
        case .cancelled, .ended:
            return .ignore
        }
    }

    /// The coroutine has ended.
    ///
    /// - Returns: Those to call after the lock, the first to come first.
    mutating func end() -> [Observer] {
        switch self.stage {
        case .going, .cancelled:
            self.stage = .ended
            defer { self.observers = [] }
            return self.observers
        case .waiting, .ended:
            preconditionFailure("BUG: a coroutine ended that waits, or for the second time")
        }
    }

    /// What the caller of ``observe(_:)`` does after it has left the lock.
    enum ObserveAction {
        /// Nothing: it is called at the end.
        case keep
        /// Call the observer: the end was before.
        case call
    }

    /// Somebody wants to know of the end.
    mutating func observe(_ observer: @escaping Observer) -> ObserveAction {
        switch self.stage {
        case .going, .waiting, .cancelled:
            self.observers.append(observer)
            return .keep
        case .ended:
            return .call
        }
    }
}
