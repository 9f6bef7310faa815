// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Runs tasks on a coroutine scheduler.
///
/// ```swift
/// let executor = SchedulerTaskExecutor(DispatchQueue(label: "import"))
/// await withTaskExecutorPreference(executor) { await importer.run() }
/// ```
///
/// ## Cancellation
/// That of the tasks; the executor plays no part in it.
///
/// ## Isolation
/// Code on no actor runs on the scheduler; an actor's code runs on that actor's executor. May be used on any thread.
///
/// ## Dropped closures
/// A scheduler that drops a closure would lose a task that other code waits for. Such a task runs in Swift's pool
/// instead, for this step and for each later step that the scheduler drops. So the task ends, though not where it was
/// meant to run.
public final class SchedulerTaskExecutor: TaskExecutor {
    private let scheduler: SchedulerReference

    /// Makes an executor from a scheduler, which it keeps alive.
    ///
    /// - Parameter scheduler: The scheduler. Jobs of different tasks may run at the same time if its closures may.
    /// - Complexity: O(1).
    public init(_ scheduler: some CoroutineScheduler) { self.scheduler = SchedulerReference(scheduler) }

    /// Has the scheduler run a job.
    ///
    /// - Parameter job: The job.
    /// - Complexity: O(1), and the cost of `scheduleTask`.
    public func enqueue(_ job: consuming ExecutorJob) {
        let entry = Entry(UnownedJob(job), of: self)
        self.scheduler.scheduleTask { entry.run() }
    }

    /// A job on its way through the scheduler.
    private final class Entry: Sendable {
        private let job: UnownedJob
        private let executor: SchedulerTaskExecutor
        private let isTaken = OnceFlag()

        init(_ job: UnownedJob, of executor: SchedulerTaskExecutor) {
            self.job = job
            self.executor = executor
        }

        func run() {
            guard self.isTaken.setFirst() else { return }
            // Safe: the job is run once, and its executor is alive.
            unsafe self.job.runSynchronously(on: self.executor.asUnownedTaskExecutor())
        }

        deinit {
            guard self.isTaken.setFirst() else { return }
            globalConcurrentExecutor.enqueue(ExecutorJob(self.job))
        }
    }
}
