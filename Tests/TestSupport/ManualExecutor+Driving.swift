// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeTesting
import Synchronization

extension ManualExecutor {
    /// Runs jobs as they come until a task has ended.
    ///
    /// `run()` alone is not enough: `Task.yield` leads through the pool, from where the job comes a moment later.
    package func run<Value: Sendable>(untilEndOf task: Task<Value, any Error>) async throws -> Value {
        let hasEnded = Atomic(false)
        async let end: Void = {
            _ = await task.result
            hasEnded.store(true, ordering: .sequentiallyConsistent)
            // Something to run, for the loop to wake.
            self.perform {}
        }()
        while !hasEnded.load(ordering: .sequentiallyConsistent) {
            try await self.jobs(atLeast: 1)
            self.run()
        }
        await end
        return try await task.value
    }

    /// Runs a number of jobs, waiting for each to come.
    package func run(jobs count: Int) async throws {
        for _ in 0..<count {
            try await self.jobs(atLeast: 1)
            self.runOne()
        }
    }

    /// Returns when there is a job to run.
    package func hasJob() async { try? await self.jobs(atLeast: 1) }

    /// Waits for a job, and runs it and those that it brings along, until none is left.
    ///
    /// The runtime brings a resumed task to its actor by way of the pool.
    package func turn() async {
        await self.hasJob()
        self.run()
    }
}
