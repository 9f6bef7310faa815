// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
package import Testing

/// Runs a test on threads of its own, one for each step.
///
/// Why not on the pool: a test that waits for another process blocks a thread (Swift 6.3.1), and then it is the tests
/// that run meanwhile whose bridges get none.
package struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
    private final class Executor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            startThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    package var isRecursive: Bool { true }

    @concurrent
    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing body: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor()) { try await body() }
    }
}

extension Trait where Self == OwnThreads {
    /// On threads of its own.
    package static var threads: Self { OwnThreads() }
}
