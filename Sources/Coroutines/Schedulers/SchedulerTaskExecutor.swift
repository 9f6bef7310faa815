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
/// ## Dropped closures, and closures that run at once
/// A scheduler that drops a closure would lose a task that other code waits for. One that runs a closure inside
/// `scheduleTask`, such as `ImmediateScheduler`, or a `SerialScheduler` on it, would run a task inside a call that
/// resumes or cancels it, which Swift's runtime does not bear. Such a task runs in Swift's pool instead, for this step
/// and for each later step of which that is true. So the task ends, though not where it was meant to run.
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
        entry.hasBeenScheduled()
    }

    /// A job on its way through the scheduler.
    private final class Entry: Sendable {
        private let job: UnownedJob
        private let executor: SchedulerTaskExecutor
        private let isTaken = OnceFlag()
        private let inline = InlineRun()

        init(_ job: UnownedJob, of executor: SchedulerTaskExecutor) {
            self.job = job
            self.executor = executor
        }

        func run() {
            // Left to `hasBeenScheduled`: the call to `enqueue` may hold the lock of the task's status.
            if self.inline.leavesRest() { return }
            guard self.isTaken.setFirst() else { return }
            // Safe: the job is run once, and its executor is alive.
            unsafe self.job.runSynchronously(on: self.executor.asUnownedTaskExecutor())
        }

        /// The call that schedules has ended.
        func hasBeenScheduled() { if self.inline.end() { self.runElsewhere() } }

        private func runElsewhere() {
            guard self.isTaken.setFirst() else { return }
            globalConcurrentExecutor.enqueue(ExecutorJob(self.job))
        }

        deinit { self.runElsewhere() }
    }
}
