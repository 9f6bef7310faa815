// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

@Suite("KnownScheduler: how steps get to a scheduler", .timeLimit(.minutes(10)))
struct KnownSchedulerTests {
    @Test func `a serial scheduler takes coroutines`() {
        let scheduler = SerialScheduler()
        guard case .serial(let known) = KnownScheduler(scheduler) else {
            Issue.record("it is taken for another one")
            return
        }
        #expect(known.takeUnretainedValue() === scheduler)
    }

    @Test func `a queue takes closures`() {
        let queue = DispatchQueue(label: "known")
        guard case .queue(let known) = KnownScheduler(queue) else {
            Issue.record("it is taken for another one")
            return
        }
        #expect(known.takeUnretainedValue() === queue)
    }

    @Test func `one of the user takes steps`() {
        guard case .other = KnownScheduler(ManualScheduler()) else {
            Issue.record("it is taken for another one")
            return
        }
    }

    /// It is kept by its coroutines, in each step and between two.
    @Test func `a queue that nobody holds`() async throws {
        let (log, first, done) = (Collected<Int>(), CoPromise<Void>(), CoPromise<Void>())
        DispatchQueue(label: "nobody's").startCoroutine {
            try first.await()
            log.append(1)
            try Coroutine.yield()
            log.append(2)
            done.success(())
        }
        first.success(())
        try await done.value
        #expect(log.all == [1, 2])
    }
}
