// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension TaskExecutor where Self: CoroutineScheduler {
    /// Runs a closure on the executor, in a task of its own.
    ///
    /// This is all that a task executor needs to be a scheduler:
    ///
    /// ```swift
    /// extension DatabaseExecutor: CoroutineScheduler {}
    /// ```
    ///
    /// An executor that drops a job loses it: nobody can tell, so the coroutine would never end.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1); starts one task.
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { Task(executorPreference: self) { task() } }
}
