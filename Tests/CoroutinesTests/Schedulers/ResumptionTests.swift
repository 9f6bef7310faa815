// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Coroutines
import Testing

@Suite("How a scheduler is told that a wait has ended", .timeLimit(.minutes(10)))
struct ResumptionTests {
    /// Runs everything at once, and notes by which function.
    private struct Noting: CoroutineScheduler {
        let calls = Collected<String>()

        func scheduleTask(_ task: @escaping @Sendable () -> Void) {
            self.calls.append("schedule")
            task()
        }

        func resumeTask(_ task: @escaping @Sendable () -> Void) {
            self.calls.append("resume")
            task()
        }
    }

    private let scheduler = Noting()

    @Test
    func `a wait that ends outside every coroutine is resumed; a start and a yield are scheduled`() {
        let (first, second) = (CoPromise<Int>(), CoPromise<Int>())
        self.scheduler.startCoroutine {
            _ = try first.await()
            try Coroutine.yield()
            _ = try second.await()
        }
        #expect(self.scheduler.calls.all == ["schedule"])
        first.success(1)
        #expect(self.scheduler.calls.all == ["schedule", "resume", "schedule"])
        second.success(2)
        #expect(self.scheduler.calls.all == ["schedule", "resume", "schedule", "resume"])
    }

    @Test
    func `a wait that a coroutine ends is scheduled`() {
        let promise = CoPromise<Int>()
        self.scheduler.startCoroutine { _ = try promise.await() }
        ImmediateScheduler().startCoroutine { promise.success(1) }
        #expect(self.scheduler.calls.all == ["schedule", "schedule"])
    }

    @Test
    func `a cancellation outside every coroutine resumes`() {
        let handle = self.scheduler.startCoroutine { _ = try CoPromise<Int>().await() }
        handle.cancel()
        #expect(self.scheduler.calls.all == ["schedule", "resume"])
    }
}
