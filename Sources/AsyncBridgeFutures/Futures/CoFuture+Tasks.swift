// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension CoFuture {
    /// Runs a closure now, on this thread, and makes a future of its result.
    ///
    /// A closure with `await` in it runs in a task instead: see ``init(priority:operation:)``. With `import Coroutines`
    /// the closure is a coroutine, which may wait, and still begins immediately, on this thread.
    ///
    /// ## Cancellation
    /// The closure cannot be cancelled: it has ended before the future exists.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - function: The caller's name. Its form with `import Coroutines` has one parameter less, so it is preferred.
    ///   - task: The code.
    /// - Complexity: That of the closure.
    public convenience init(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        function: StaticString = #function,
        task: () throws -> Value
    ) {
        self.init(result: Result(catching: task))
    }

    /// Starts a task, and makes a future of its result.
    ///
    /// ## Cancellation
    /// Cancelling the future cancels the task; the future ends at once.
    ///
    /// ## Isolation
    /// The task inherits priority and task-locals, and runs in Swift's pool.
    ///
    /// - Parameters:
    ///   - priority: The task's priority; the current one by default.
    ///   - operation: The async code.
    /// - Complexity: O(1); starts one task.
    public convenience init(
        priority: TaskPriority? = nil,
        operation: @escaping @Sendable () async throws -> Value
    ) {
        self.init()
        let task = Task(priority: priority) {
            do { self.settle(try await operation()) } catch { self.settle(failure: error) }
        }
        self.whenCancelled { task.cancel() }
    }

    /// A future of the result of an existing task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - policy: What cancelling the future does to the task: with ``WaitPolicy/propagate`` the task is cancelled and
    ///     the future ends at once, with ``WaitPolicy/abandon`` only the future ends, and with ``WaitPolicy/ignore``
    ///     nothing happens. ``AnyCoFuture/abandon()`` ends only the future, whatever the policy.
    /// - Returns: The future.
    /// - Complexity: O(1); starts one task, which waits.
    public static func result<Failure: Error>(
        of task: Task<Value, Failure>,
        cancellation policy: WaitPolicy = .propagate
    ) -> CoFuture<Value> {
        let future = TaskFuture<Value>(policy) { task.cancel() }
        Task { future.settle((await task.result).mapError { $0 }) }
        return future
    }
}

/// A future of a task's result, which decides what cancelling it does.
///
/// Safe: as `CoFuture`; what it adds is constant and Sendable.
private final class TaskFuture<Value: Sendable>: CoFuture<Value>, @unchecked Sendable {
    private let policy: WaitPolicy
    private let cancelTask: @Sendable () -> Void

    init(_ policy: WaitPolicy, _ cancelTask: @escaping @Sendable () -> Void) {
        self.policy = policy
        self.cancelTask = cancelTask
        super.init()
    }

    override var cancellation: FutureCancellation { self.policy == .ignore ? .nothing : .ends }

    override func cancelWork(_ observers: ObserverList, _: inout FutureFiring) -> ObserverList {
        if self.policy == .propagate { self.cancelTask() }
        return observers
    }
}
