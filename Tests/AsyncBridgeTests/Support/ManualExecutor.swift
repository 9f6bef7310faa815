// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// An executor whose jobs run only when the test says so, on the test's own thread.
///
/// With it "the waiter has parked" is a fact: nothing is left to run when ``drain()`` returns.
final class ManualExecutor: TaskExecutor, SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var runner: ObjectIdentifier?
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let watchers = self.state.withLock { state in
            defer { state.watchers = [] }
            state.jobs.append(job)
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
    }

    /// Returns when there is a job to run.
    func hasJob() async {
        await withCheckedContinuation { watcher in
            let isThere = self.state.withLock { state in
                if state.jobs.isEmpty { state.watchers.append(watcher) }
                return !state.jobs.isEmpty
            }
            if isThere { watcher.resume() }
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Whether the calling thread is running one of the jobs.
    var isCurrent: Bool {
        let thread = ObjectIdentifier(Thread.current)
        return self.state.withLock { $0.runner == thread }
    }

    /// Runs all jobs for a task, and those that they bring along, until none is left.
    func drain() { self.run { $0.runSynchronously(on: self.asUnownedTaskExecutor()) } }

    /// Runs the next job for an actor, and those that it brings along, until none is left.
    ///
    /// Waits for the first one: the runtime brings a resumed task to its actor by way of the pool.
    func turnActor() async {
        await self.hasJob()
        self.drainActor()
    }

    /// Runs all jobs for an actor, and those that they bring along, until none is left.
    func drainActor() { self.run { $0.runSynchronously(on: self.asUnownedSerialExecutor()) } }

    private func run(_ body: (UnownedJob) -> Void) {
        let thread = ObjectIdentifier(Thread.current)
        while let job = self.next(on: thread) { body(job) }
    }

    private func next(on thread: ObjectIdentifier) -> UnownedJob? {
        self.state.withLock { state in
            state.runner = state.jobs.isEmpty ? nil : thread
            return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
        }
    }
}
