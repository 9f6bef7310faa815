// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An executor that runs each job inside the call that enqueues it, which users write although Swift does not allow it.
///
/// Its tasks must not be cancelled: the job would run under the lock of the task's status.
package final class RunningAtOnce: TaskExecutor {
    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Safe: the job is run once, and the executor is alive, since it is called.
        unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
}
