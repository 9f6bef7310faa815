// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import OpenCombineShim
import Testing

/// A scheduler's timers need no thread that tasks can keep, and keep nothing that was cancelled.
@Suite("The time of a scheduler for publishers", .timeLimit(.minutes(10)))
struct SchedulerTimeTests {
    /// Waits, in a coroutine on a queue of its own, while tasks keep every thread of the pool.
    private static func waitWhileBusy(_ start: @escaping @Sendable (CoPromise<Int>) -> AnyCancellable?) async throws {
        let areBusy = try await DispatchQueue(label: "waiting").coroutineFuture {
            let (pool, reached) = (BusyPool(), CoPromise<Int>())
            let subscription = start(reached)
            _ = try reached.await()
            subscription?.cancel()
            return pool.stop()
        }.value
        precondition(areBusy)
    }

    @Test
    func `an action is handed over in time while the pool is busy`() async {
        await #expect(processExitsWith: .success) {
            let scheduler = DispatchQueue(label: "scheduler").forPublishers
            try await Self.waitWhileBusy { reached in
                scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(10))) { reached.success(1) }
                return nil
            }
        }
    }

    @Test
    func `so is one that repeats`() async {
        await #expect(processExitsWith: .success) {
            let scheduler = DispatchQueue(label: "scheduler").forPublishers
            try await Self.waitWhileBusy { reached in
                let runs = Count()
                let first = scheduler.now.advanced(by: .milliseconds(1))
                return AnyCancellable(
                    scheduler.schedule(after: first, interval: .milliseconds(1), tolerance: .zero, options: nil) {
                        runs.add()
                        if runs.value == 3 { reached.success(3) }
                    }
                )
            }
        }
    }

    @Test
    func `so is what Combine delays`() async {
        await #expect(processExitsWith: .success) {
            let scheduler = DispatchQueue(label: "scheduler").forPublishers
            try await Self.waitWhileBusy { reached in
                Just(1).delay(for: 0.01, scheduler: scheduler).sink { reached.success($0) }
            }
        }
    }

    @Test
    func `an action that repeats and is cancelled is released at once`() {
        let tracker = LifetimeTracker()
        let scheduler = DispatchQueue(label: "scheduler").forPublishers
        var repeating: (any Cancellable)?
        do {
            let token = tracker.token()
            let first = scheduler.now.advanced(by: .seconds(3600))
            repeating = scheduler.schedule(after: first, interval: .seconds(3600), tolerance: .zero, options: nil) {
                withExtendedLifetime(token) {}
            }
        }
        #expect(tracker.alive == 1)
        repeating?.cancel()
        repeating = nil
        #expect(tracker.alive == 0)
    }

    /// One run ends before the next begins, even on a scheduler that runs everything at once.
    @Test
    func `the runs of an action that repeats do not overlap`() async {
        let (begun, ended, overlaps) = (Count(), Count(), Count())
        let scheduler = AsyncBridgeFutures.ImmediateScheduler().forPublishers
        let repeating = scheduler.schedule(
            after: scheduler.now,
            interval: .nanoseconds(1),
            tolerance: .zero,
            options: nil
        ) {
            if begun.add() != ended.value + 1 { overlaps.add() }
            for _ in 0..<100 { _ = scheduler.now }
            ended.add()
        }
        await until { ended.value >= 1000 }
        repeating.cancel()
        #expect(overlaps.value == 0)
    }

    @Test
    func `a time in the far future does not trap`() {
        let scheduler = DispatchQueue(label: "scheduler").forPublishers
        let never = scheduler.now.advanced(by: .seconds(Int(Int32.max) * 1_000))
        let repeating = scheduler.schedule(after: never, interval: .seconds(1), tolerance: .zero, options: nil) {}
        repeating.cancel()
    }
}
#endif
