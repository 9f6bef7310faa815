// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Lets tasks run on a scheduler of coroutines.
///
/// ```swift
/// let executor = SchedulerTaskExecutor(DispatchQueue(label: "import"))
/// await withTaskExecutorPreference(executor) { await importer.run() }
/// ```
///
/// ## Cancellation
/// That of the tasks: an executor has no part in it.
///
/// ## Isolation
/// Code that is on no actor runs on the scheduler; what belongs to an actor runs on that actor's executor. May be used
/// on any thread.
///
/// ## What is dropped
/// A scheduler that drops a closure would take a task along that others wait for. Such a task goes on in Swift's
/// pool instead, at this and at each later step that the scheduler drops: it ends, if not where it was meant to
/// run.
public final class SchedulerTaskExecutor: TaskExecutor {
    private let scheduler: SchedulerReference

    /// Makes an executor of a scheduler, which it keeps alive.
    ///
    /// - Parameter scheduler: The scheduler. Jobs of different tasks may run at the same time if its closures may.
    /// - Complexity: O(1).
    public init(_ scheduler: some CoroutineScheduler) { self.scheduler = SchedulerReference(scheduler) }

    /// Has the scheduler run a job.
    ///
    /// - Parameter job: The job.
    /// - Complexity: O(1), and what `scheduleTask` costs.
    public func enqueue(_ job: consuming ExecutorJob) {
        let entry = Entry(UnownedJob(job), of: self)
        self.scheduler.scheduleTask { entry.run() }
    }

    /// A job on its way through the scheduler.
    private final class Entry: Sendable {
        private let job: UnownedJob
        private let executor: SchedulerTaskExecutor
        private let isTaken = Flag()

        init(_ job: UnownedJob, of executor: SchedulerTaskExecutor) {
            self.job = job
            self.executor = executor
        }

        func run() {
            guard self.isTaken.set() else { return }
            // Safe: the job is run once, and its executor is alive.
            unsafe self.job.runSynchronously(on: self.executor.asUnownedTaskExecutor())
        }

        deinit {
            guard self.isTaken.set() else { return }
            globalConcurrentExecutor.enqueue(ExecutorJob(self.job))
        }
    }
}
