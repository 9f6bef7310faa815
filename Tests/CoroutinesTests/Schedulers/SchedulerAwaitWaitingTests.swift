// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

/// The closure runs in a coroutine of its own.
@Suite("CoroutineScheduler.await: the closure waits", .timeLimit(.minutes(10)))
struct SchedulerAwaitWaitingTests {
    private let home = ManualScheduler()
    private let other = ManualScheduler()
    private let log = EventLog()

    @Test func `for a future`() async throws {
        let (home, other, log) = (self.home, self.other, self.log)
        let promise = CoPromise<Int>()
        let coroutine = home.startCoroutine {
            let value = try other.await {
                log.expect(1)
                return try promise.await() + 1
            }
            #expect(value == 8)
            log.finish(3)
        }
        home.run()
        other.run()
        log.expect(2)
        promise.success(7)
        // It goes on where it began.
        #expect(other.count == 1)
        other.run()
        try await home.arrivals(atLeast: 2)
        home.run()
        await coroutine.ended()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `in a coroutine of a task, on a queue`() async throws {
        let sum = try await withCoroutine {
            try (0..<100).reduce(0) { sum, number in
                try DispatchQueue.global().await { sum + (try CoFuture { number }.await()) }
            }
        }
        #expect(sum == 4950)
    }

    @Test func `on a scheduler that runs it at once`() async throws {
        let (home, promise) = (self.home, CoPromise<Int>())
        let values = Collected<Int>()
        let coroutine = home.startCoroutine { values.append(try ImmediateScheduler().await { try promise.await() }) }
        home.run()
        promise.success(7)
        try await home.arrivals(atLeast: 2)
        home.run()
        await coroutine.ended()
        #expect(values.all == [7])
    }

    /// The closure does not escape: it has ended, and is gone, when the wait is over.
    @Test func `cancelled meanwhile, its wait throws, and the coroutine waits for it`() async throws {
        let (home, other, log, tracker) = (self.home, self.other, self.log, LifetimeTracker())
        let coroutine = home.startCoroutine {
            let token = tracker.token()
            #expect(throws: CancellationError.self) {
                try other.await {
                    defer {
                        _ = token
                        log.expect(2)
                    }
                    log.expect(1)
                    try Coroutine.delay(.seconds(3600))
                    log.unreached()
                }
            }
            log.finish(3)
        }
        home.run()
        other.run()
        coroutine.cancel()
        try await other.arrivals(atLeast: 2)
        #expect(home.count == 0)
        other.run()
        try await home.arrivals(atLeast: 2)
        home.run()
        await coroutine.ended()
        #expect(log.finished().isEmpty, "\(log.finished())")
        #expect(tracker.alive == 0)
    }

    @Test func `cancelled meanwhile, it may still end well`() async throws {
        let (home, other) = (self.home, self.other)
        let values = Collected<Int>()
        let coroutine = home.startCoroutine {
            values.append(
                try other.await {
                    do { try Coroutine.delay(.seconds(3600)) } catch { return 7 }
                    return 8
                }
            )
        }
        home.run()
        other.run()
        coroutine.cancel()
        try await other.arrivals(atLeast: 2)
        other.run()
        try await home.arrivals(atLeast: 2)
        home.run()
        await coroutine.ended()
        #expect(values.all == [7])
    }

    @Test func `dropped meanwhile, it is unwound, and the wait ends with an error`() async throws {
        let (home, other, log) = (self.home, self.other, self.log)
        let coroutine = home.startCoroutine {
            do {
                try other.await {
                    defer { log.expect(2) }
                    log.expect(1)
                    try Coroutine.yield()
                    log.unreached()
                }
                log.unreached()
            } catch let fault as BridgeFault {
                #expect(fault.code == .callbackDropped)
                log.finish(3)
            }
        }
        home.run()
        other.runOne()
        other.dropOne()
        try await home.arrivals(atLeast: 2)
        home.run()
        await coroutine.ended()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    /// The coroutine is unwound, but not before the closure has ended.
    @Test func `the coroutine is dropped, its result is released`() async throws {
        let (home, other, log, tracker) = (self.home, self.other, self.log, LifetimeTracker())
        let promise = CoPromise<Void>()
        let coroutine = home.startCoroutine {
            defer { log.finish(2) }
            let token = try other.await {
                try promise.await()
                log.expect(1)
                return tracker.token()
            }
            _ = token
            log.unreached()
        }
        home.run()
        other.run()
        promise.success(())
        other.run()
        try await home.arrivals(atLeast: 2)
        home.dropOne()
        await coroutine.ended()
        #expect(log.finished().isEmpty, "\(log.finished())")
        #expect(tracker.alive == 0)
    }
}
