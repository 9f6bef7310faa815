// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("Futures of tasks", .timeLimit(.minutes(10)))
struct FutureOfTaskTests {
    @Test func `of an operation`() async throws {
        #expect(
            try await CoFuture {
                await Task.yield(); return 1
            }.value == 1
        )
        await #expect(throws: Failure.self) {
            try await CoFuture<Int> {
                await Task.yield(); throw Failure()
            }.value
        }
    }

    /// The compiler took `.value` for the function `value(cancellation:)` here, and nobody waited.
    @Test func `'try?' in the same expression waits for it`() async {
        let hasEnded = Flag()
        _ = try? await CoFuture {
            try Task.checkCancellation()
            await Task.yield()
            hasEnded.set()
        }.value
        #expect(hasEnded.value)
    }

    /// As with `import Coroutines`, so that an import in another file does not change what code means.
    @Test func `of a closure that does not wait, runs here and now`() throws {
        var hasRun = false
        let future = CoFuture {
            hasRun = true
            return 1
        }
        #expect(hasRun)
        #expect(try future.result?.get() == 1)
        let failing = CoFuture<Int> { throw Failure() }
        #expect(throws: Failure.self) { try failing.result?.get() }
    }

    @Test func `cancelling it cancels the task`() async throws {
        let log = EventLog()
        let clock = TestClock()
        let future = CoFuture<Int> {
            do {
                try await clock.sleep(for: .seconds(1))
                return 1
            } catch {
                log.record("cancelled")
                throw error
            }
        }
        try await clock.sleepers(atLeast: 1)
        future.cancel()
        #expect(future.isCancelled)
        try await log.events(atLeast: 1)
    }

    @Test(arguments: [WaitPolicy.ignore, .abandon, .propagate]
    )
    func `what cancelling a future does to the task that it was made of`(policy: WaitPolicy) async throws {
        let promise = CoPromise<Int>()
        let task = Task { try await promise.value(cancellation: .ignore) }
        let future = CoFuture.result(of: task, cancellation: policy)
        future.cancel()
        #expect(task.isCancelled == (policy == .propagate))
        promise.success(1)
        #expect(try await task.value == 1)
        if policy == .ignore {
            #expect(try await future.value == 1)
        } else {
            #expect(future.isCancelled)
        }
    }
}
