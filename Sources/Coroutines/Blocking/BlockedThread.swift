// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Synchronization

/// A thread that waits for a task, and runs that task's jobs itself meanwhile.
///
/// Why not block it on a semaphore and let Swift's pool run the task: threads of queues and of the pool come from one
/// supply, no larger than the number of cores on Linux. If all of them block, none is left to run what they wait for.
final class BlockedThread: TaskExecutor {
    /// | State    | Holds                                 | Next     |
    /// |----------|---------------------------------------|----------|
    /// | `open`   | jobs to run here, the oldest first    | `closed` |
    /// | `closed` | nothing; new jobs go to the pool      | none     |
    private enum State {
        case open([UnownedJob])
        case closed
    }

    private let state = Mutex(State.open([]))
    private let wake = DispatchSemaphore(value: 0)

    /// Runs a task to its end on this thread.
    func run(_ body: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) {
            await body()
            self.close()
        }
        while self.runJobs() { self.wake.wait() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isOpen = self.state.withLock { state in
            switch state {
            case .open(var jobs):
                state = .closed
                jobs.append(job)
                state = .open(jobs)
                return true
            case .closed:
                return false
            }
        }
        if isOpen {
            self.wake.signal()
        } else {
            globalConcurrentExecutor.enqueue(ExecutorJob(job))
        }
    }

    /// The task has ended: none of its jobs is queued any more.
    private func close() {
        let rest = self.state.withLock { state -> [UnownedJob] in
            switch state {
            case .open(let jobs):
                state = .closed
                return jobs
            case .closed:
                return []
            }
        }
        for job in rest { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
        self.wake.signal()
    }

    /// Runs the queued jobs.
    ///
    /// - Returns: Whether more may come.
    private func runJobs() -> Bool {
        while true {
            let (jobs, isOpen) = self.state.withLock { state -> ([UnownedJob], Bool) in
                switch state {
                case .open(let jobs):
                    state = .open([])
                    return (jobs, true)
                case .closed:
                    return ([], false)
                }
            }
            if jobs.isEmpty { return isOpen }
            // Safe: each job is taken out, and so run, once; the executor is this object.
            for job in jobs { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
