// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A thread that runs an executor's jobs as they come.
///
/// Scenarios run bridges on a separate thread, so that a bridge that blocks stops neither the suite nor Swift's pool,
/// and so that the suite can tell when a bridge has suspended: when its thread is idle.
package final class WorkerThread: Sendable {
    package let executor = ManualExecutor()

    package init() {
        let executor = self.executor
        startThread { executor.queue.runUntilClosed() }
    }

    /// Runs a block on the thread, after what is queued.
    package func perform(_ block: @escaping @Sendable () -> Void) { self.executor.perform(block) }

    /// What the thread has to do.
    var tally: Watched<JobQueue.Tally> { self.executor.queue.tally }

    /// Whether the caller runs on this thread.
    var isCurrent: Bool { self.executor.queue.isCurrent }

    /// Ends the thread when it has done what is queued.
    package func stop() { self.executor.queue.close() }
}
