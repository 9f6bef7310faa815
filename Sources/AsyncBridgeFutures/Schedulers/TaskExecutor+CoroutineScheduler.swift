// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension TaskExecutor where Self: CoroutineScheduler {
    /// Runs a closure on the executor, in its own task.
    ///
    /// This is all that a task executor needs to be a scheduler:
    ///
    /// ```swift
    /// extension DatabaseExecutor: CoroutineScheduler {}
    /// ```
    ///
    /// If an executor drops a job, nothing can detect that, and the coroutine never ends.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1); starts one task.
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { Task(executorPreference: self) { task() } }
}
