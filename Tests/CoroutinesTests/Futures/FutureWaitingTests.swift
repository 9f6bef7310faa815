// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

@Suite("Waiting for futures", .timeLimit(.minutes(10)))
struct FutureWaitingTests {
    /// Who waits.
    enum Place: CaseIterable {
        case task
        case coroutineOfATask
        case coroutineOnAScheduler

        /// Waits for a future there, with a policy.
        func wait(for future: CoFuture<Int>, _ policy: WaitPolicy, _ begun: EventLog) -> Waiting {
            switch self {
            case .task:
                let task = Task {
                    begun.record("begun")
                    return try await future.value(cancellation: policy)
                }
                return Waiting(result: .result(of: task, cancellation: .abandon)) { task.cancel() }
            case .coroutineOfATask:
                let task = Task {
                    try await withCoroutine {
                        begun.record("begun")
                        return try future.await(cancellation: policy)
                    }
                }
                return Waiting(result: .result(of: task, cancellation: .abandon)) { task.cancel() }
            case .coroutineOnAScheduler:
                let result = CoPromise<Int>()
                let coroutine = DispatchQueue.global().startCoroutine(onError: { result.fail($0) }) {
                    begun.record("begun")
                    do { result.success(try future.await(cancellation: policy)) } catch { result.fail(error) }
                }
                coroutine.whenComplete { result.fail(CancellationError()) }
                return Waiting(result: result) { coroutine.cancel() }
            }
        }
    }

    struct Waiting {
        let result: CoFuture<Int>
        let cancel: () -> Void
    }

    @Test(arguments: Place.allCases)
    func `the value`(place: Place) async throws {
        let promise = CoPromise<Int>()
        let log = EventLog()
        let waiting = place.wait(for: promise, .abandon, log)
        try await log.events(atLeast: 1)
        promise.success(3)
        #expect(try await waiting.result.value == 3)
    }

    @Test(arguments: Place.allCases)
    func `the error`(place: Place) async throws {
        let promise = CoPromise<Int>()
        let log = EventLog()
        let waiting = place.wait(for: promise, .abandon, log)
        try await log.events(atLeast: 1)
        promise.fail(Failure(1))
        await #expect(throws: Failure(1)) { try await waiting.result.value }
    }

    @Test(arguments: Place.allCases)
    func `a result that is there`(place: Place) async throws {
        let waiting = place.wait(for: CoFuture(result: .success(1)), .abandon, EventLog())
        #expect(try await waiting.result.value == 1)
    }

    @Test(arguments: Place.allCases)
    func `a waiter that is cancelled leaves the future alone`(place: Place) async throws {
        let promise = CoPromise<Int>()
        let log = EventLog()
        let waiting = place.wait(for: promise, .abandon, log)
        try await log.events(atLeast: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.result.value }
        #expect(promise.result == nil)
        #expect(promise.success(1))
    }

    @Test(arguments: Place.allCases)
    func `a waiter that is cancelled cancels the future`(place: Place) async throws {
        let promise = CoPromise<Int>()
        let log = EventLog()
        promise.whenCancelled { log.record("work") }
        let waiting = place.wait(for: promise, .propagate, log)
        try await log.events(atLeast: 1)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.result.value }
        try await log.events(atLeast: 2)
        #expect(promise.isCancelled)
    }

    @Test
    func `a coroutine on a scheduler that is cancelled cancels the future in the same call, before it goes on`() {
        let scheduler = ManualScheduler()
        let (promise, log) = (CoPromise<Int>(), EventLog())
        promise.whenCancelled { log.record("work") }
        let coroutine = scheduler.startCoroutine {
            defer { log.record("ended") }
            _ = try promise.await(cancellation: .propagate)
        }
        scheduler.run()
        coroutine.cancel()
        #expect(log.events == ["work"])
        scheduler.run()
        #expect(log.events == ["work", "ended"])
    }

    @Test
    func `a coroutine that has its value cancels nothing later`() {
        let scheduler = ManualScheduler()
        let (promise, next, tracker) = (CoPromise<Int>(), CoPromise<Int>(), LifetimeTracker())
        promise.whenSuccess { [token = tracker.token()] _ in withExtendedLifetime(token) {} }
        let mapped = promise.map { $0 }
        let coroutine = scheduler.startCoroutine {
            _ = try mapped.await(cancellation: .propagate)
            _ = try next.await()
        }
        scheduler.run()
        promise.success(1)
        scheduler.run()
        #expect(tracker.alive == 0)
        coroutine.cancel()
        scheduler.run()
        #expect(next.result == nil)
    }

    @Test(arguments: Place.allCases)
    func `a waiter that is cancelled waits on`(place: Place) async throws {
        let promise = CoPromise<Int>()
        let log = EventLog()
        let waiting = place.wait(for: promise, .ignore, log)
        try await log.events(atLeast: 1)
        // Only then is it sure to wait.
        await until { !promise.isWaitedForByNobody }
        waiting.cancel()
        promise.success(5)
        #expect(try await waiting.result.value == 5)
    }

    @Test(arguments: [WaitPolicy.ignore, .abandon, .propagate])
    func `in a coroutine that is cancelled already`(policy: WaitPolicy) async throws {
        let promise = CoPromise<Int>()
        let gate = CoPromise<Void>()
        let result = CoPromise<Int>()
        let scheduler = ManualScheduler()
        let coroutine = scheduler.startCoroutine {
            try? gate.await()
            #expect(Coroutine.isCancelled)
            do { result.success(try promise.await(cancellation: policy)) } catch { result.fail(error) }
        }
        scheduler.run()
        coroutine.cancel()
        scheduler.run()
        if policy == .ignore {
            promise.success(1)
            while result.result == nil {
                await Task.yield()
                scheduler.run()
            }
            #expect(try await result.value == 1)
        } else {
            await #expect(throws: CancellationError.self) { try await result.value }
            #expect(promise.isCancelled == (policy == .propagate))
        }
    }

    @Test
    func `a coroutine that is abandoned while it waits is unwound`() {
        let scheduler = ManualScheduler()
        let promise = CoPromise<Int>()
        let log = EventLog()
        scheduler.startCoroutine {
            defer { log.record("unwound") }
            _ = try promise.await()
            log.record("not to be reached")
        }
        scheduler.runOne()
        promise.success(1)
        scheduler.dropOne()
        #expect(log.events == ["unwound"])
    }

    @Test(arguments: Place.allCases)
    func `many wait, and each is told`(place: Place) async throws {
        let promise = CoPromise<Int>()
        let waiting = (0..<100).map { _ in place.wait(for: promise, .abandon, EventLog()) }
        promise.success(2)
        for one in waiting { #expect(try await one.result.value == 2) }
    }

    @Test func `outside a coroutine`() throws {
        #expect(throws: CoroutineError.outsideCoroutine) { try self.await(CoPromise<Int>()) }
        #expect(try self.await(CoFuture(result: .success(1))) == 1)
    }

    private func await(_ future: CoFuture<Int>) throws -> Int { try future.await() }

    @Test func `a timeout`() async throws {
        let clock = TestClock()
        let promise = CoPromise<Int>()
        let waiting = DispatchQueue.global().coroutineFuture { try promise.await(timeout: .seconds(1), clock: clock) }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        await #expect(throws: CoFutureError.timeout) { try await waiting.value }
        #expect(promise.result == nil)
    }

    @Test func `in time for a timeout`() async throws {
        let clock = TestClock()
        let promise = CoPromise<Int>()
        let waiting = DispatchQueue.global().coroutineFuture { try promise.await(timeout: .seconds(1), clock: clock) }
        try await clock.sleepers(atLeast: 1)
        promise.success(4)
        #expect(try await waiting.value == 4)
    }
}

extension AnyCoFuture {
    /// Whether nobody has asked for the hub of those who wait, or all have gone.
    fileprivate var isWaitedForByNobody: Bool {
        guard let waiters = self.waiters() else { return true }
        return waiters.state.withLock { $0.queue.isEmpty }
    }
}

@Suite("Futures of coroutines", .timeLimit(.minutes(10)))
struct FutureOfCoroutineTests {
    @Test
    func `cancelling the future of a coroutine cancels the coroutine`() {
        let scheduler = ManualScheduler()
        let promise = CoPromise<Int>()
        let log = EventLog()
        let future = scheduler.coroutineFuture {
            defer { log.record("ended") }
            return try promise.await()
        }
        scheduler.run()
        future.cancel()
        #expect(future.isCancelled)
        scheduler.run()
        #expect(log.events == ["ended"])
        #expect(promise.result == nil)
    }

    @Test
    func `cancelled before it begins, the coroutine never does`() {
        let scheduler = ManualScheduler()
        let future = scheduler.coroutineFuture { () -> Int in fatalError("not to be called") }
        future.cancel()
        scheduler.run()
        #expect(future.isCancelled)
    }

    @Test
    func `a scheduler that drops the coroutine cancels the future`() {
        let scheduler = ManualScheduler()
        let future = scheduler.coroutineFuture { 1 }
        scheduler.dropOne()
        #expect(future.isCancelled)
    }

    @Test func `of code that throws`() async throws {
        await #expect(throws: Failure.self) {
            try await DispatchQueue.global().coroutineFuture { () -> Int in throw Failure() }.value
        }
        #expect(throws: Failure.self) { try CoFuture<Int> { throw Failure() }.result?.get() }
    }
}
