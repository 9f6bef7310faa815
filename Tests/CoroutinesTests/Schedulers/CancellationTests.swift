// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

@Suite("A scheduled coroutine: cancellation", .timeLimit(.minutes(10)))
struct ScheduledCoroutineCancellationTests {
    private let scheduler = ManualScheduler()
    private let log = EventLog()
    private let errors = Collected<any Error>()

    private func start(_ task: @escaping @Sendable () throws -> Void) -> CoroutineHandle {
        let errors = self.errors
        return self.scheduler.startCoroutine(onError: { errors.append($0) }, task: task)
    }

    private func expectQuietEnd(of coroutine: CoroutineHandle) async {
        await coroutine.ended()
        #expect(self.errors.all.isEmpty, "a cancellation is no error")
        #expect(self.log.finished().isEmpty, "\(self.log.finished())")
        #expect(coroutine.isCancelled)
        #expect(self.scheduler.count == 0)
    }

    @Test func `before the first step, the code never runs`() async {
        let (log, tracker) = (self.log, LifetimeTracker())
        let coroutine = self.start { [token = tracker.token()] in
            _ = token
            log.unreached()
        }
        coroutine.cancel()
        #expect(!Coroutine.isCancelled)
        self.scheduler.run()
        #expect(tracker.alive == 0)
        log.finish(1)
        await self.expectQuietEnd(of: coroutine)
    }

    @Test func `while it waits for an operation, the operation is cancelled`() async throws {
        let (log, gate) = (self.log, Gate())
        let coroutine = self.start {
            defer { log.finish(3) }
            #expect(throws: CancellationError.self) {
                try Coroutine.await {
                    do { try await gate.pass() } catch {
                        log.expect(1)
                        throw error
                    }
                }
            }
            log.expect(2)
            try Coroutine.checkCancellation()
            log.unreached()
        }
        self.scheduler.run()
        try await gate.arrivals(atLeast: 1)
        coroutine.cancel()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        await self.expectQuietEnd(of: coroutine)
    }

    @Test func `an operation that cancels its own coroutine is cancelled when that returns`() async throws {
        let queue = DispatchQueue(label: "own cancellation")
        let run = CancelledRun()
        for _ in 0..<1_000 {
            queue.suspend()
            let coroutine = queue.startCoroutine {
                try Coroutine.await {
                    run.cancel()
                    run.look()
                }
            }
            run.coroutine.withLock { $0 = coroutine }
            queue.resume()
            await coroutine.finished()
        }
        #expect(run.uncancelled.load(ordering: .relaxed) == 0)
    }

    @Test func `no operation runs uncancelled after a cancellation has returned`() async throws {
        let queue = DispatchQueue(label: "cancellation from outside")
        for _ in 0..<1_000 {
            let (run, log) = (CancelledRun(), EventLog())
            let coroutine = queue.startCoroutine {
                try Coroutine.await { log.record("begun") }
                while true { try Coroutine.await { run.look() } }
            }
            run.coroutine.withLock { $0 = coroutine }
            try await log.events(atLeast: 1)
            run.cancel()
            await coroutine.finished()
            #expect(run.uncancelled.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `an operation that ends all the same gives its value`() async throws {
        let (log, gate) = (self.log, Gate())
        let coroutine = self.start {
            let value = try Coroutine.await {
                await gate.passUncancelled()
                return 7
            }
            #expect(value == 7)
            log.expect(1)
            #expect(throws: CancellationError.self) { try Coroutine.yield() }
            log.finish(2)
        }
        self.scheduler.run()
        try await gate.arrivals(atLeast: 1)
        coroutine.cancel()
        gate.open()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        await self.expectQuietEnd(of: coroutine)
    }

    @Test func `while it waits for a callback, the wait ends, and its cancel action runs`() async throws {
        let (log, callbacks) = (self.log, Collected<Callback<Int, any Error>>())
        let coroutine = self.start {
            let value: Int = try Coroutine.await { callback in
                callback.onCancel { log.expect(1) }
                callbacks.append(callback)
            }
            log.unreached()
            _ = value
        }
        self.scheduler.run()
        coroutine.cancel()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        log.finish(2)
        #expect(callbacks.all.first?.resume(returning: 1) == false)
        await self.expectQuietEnd(of: coroutine)
    }

    @Test func `while it is delayed, the delay ends`() async throws {
        let (log, clock) = (self.log, TestClock())
        let coroutine = self.start {
            defer { log.finish(1) }
            try Coroutine.delay(.seconds(3600), clock: clock)
            log.unreached()
        }
        self.scheduler.run()
        try await clock.sleepers(atLeast: 1)
        coroutine.cancel()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        await self.expectQuietEnd(of: coroutine)
    }

    @Test func `while it yields, the next wait throws`() async {
        let log = self.log
        let coroutine = self.start {
            try Coroutine.yield()
            log.expect(1)
            #expect(Coroutine.isCancelled)
            #expect(throws: CancellationError.self) { try Coroutine.yield() }
            #expect(throws: CancellationError.self) { try Coroutine.await { log.unreached() } }
            #expect(throws: CancellationError.self) {
                try Coroutine.await { (_: Callback<Int, any Error>) in log.unreached() }
            }
            #expect(throws: CancellationError.self) { try ImmediateScheduler().await { log.unreached() } }
            log.finish(2)
        }
        self.scheduler.runOne()
        coroutine.cancel()
        self.scheduler.run()
        await self.expectQuietEnd(of: coroutine)
    }

    /// The operation has ended, the coroutine is not on yet.
    @Test func `while it is scheduled with a result, the next wait throws`() async throws {
        let log = self.log
        let coroutine = self.start {
            try #expect(Coroutine.await { 7 } == 7)
            log.expect(1)
            #expect(throws: CancellationError.self) { try Coroutine.yield() }
            log.finish(2)
        }
        // One step: the operation may end meanwhile, and the next must not run before the cancellation.
        self.scheduler.runOne()
        try await self.scheduler.arrivals(atLeast: 2)
        coroutine.cancel()
        self.scheduler.run()
        await self.expectQuietEnd(of: coroutine)
    }

    @Test func `from within, the next wait throws`() async {
        let log = self.log
        let scope = CoScope()
        let coroutine = self.start {
            scope.cancel()
            #expect(Coroutine.isCancelled)
            log.finish(1)
            try Coroutine.yield()
            log.unreached()
        }.added(to: scope)
        self.scheduler.run()
        await self.expectQuietEnd(of: coroutine)
    }

    @Test func `twice is once`() async throws {
        let (log, callbacks) = (self.log, Collected<Callback<Int, any Error>>())
        let coroutine = self.start {
            let _: Int = try Coroutine.await { callback in
                callback.onCancel { log.finish(1) }
                callbacks.append(callback)
            }
        }
        self.scheduler.run()
        coroutine.cancel()
        coroutine.cancel()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        await self.expectQuietEnd(of: coroutine)
    }

    @Test func `after the end, it does nothing`() {
        let coroutine = self.start {}
        self.scheduler.run()
        coroutine.cancel()
        #expect(!coroutine.isCancelled)
    }

    @Test func `in a cancelled scope, the code never runs`() async {
        let log = self.log
        let scope = CoScope()
        scope.cancel()
        let coroutine = self.scheduler.startCoroutine(in: scope) { log.unreached() }
        self.scheduler.run()
        log.finish(1)
        await self.expectQuietEnd(of: coroutine)
        let immediate = ImmediateScheduler().startCoroutine(in: scope) { log.unreached() }
        #expect(immediate.isCancelled)
        #expect(log.violations.isEmpty)
    }

    @Test func `when the scope goes, the wait throws`() async throws {
        let (log, gate) = (self.log, Gate())
        var scope: CoScope? = CoScope()
        let coroutine = self.scheduler.startCoroutine(in: scope) {
            defer { log.finish(1) }
            try Coroutine.await { try await gate.pass() }
            log.unreached()
        }
        self.scheduler.run()
        try await gate.arrivals(atLeast: 1)
        scope = nil
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        await self.expectQuietEnd(of: coroutine)
        #expect(scope == nil)
    }

    /// A user's action that runs under a lock of ours would never return.
    @Test func `a cancel action may use the coroutine`() async throws {
        let (log, callbacks) = (self.log, Collected<Callback<Int, any Error>>())
        let scope = CoScope()
        let coroutine = self.scheduler.startCoroutine(in: scope) {
            try Coroutine.await {
                try await withTaskCancellationHandler {
                    let _: Int = try await withCallback { callbacks.append($0) }
                } onCancel: {
                    scope.cancel()
                    #expect(scope.isCancelled)
                    scope.whenComplete { log.expect(1) }
                }
            }
        }
        self.scheduler.run()
        await until { !callbacks.all.isEmpty }
        coroutine.whenComplete { log.finish(2) }
        scope.cancel()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        await coroutine.ended()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }
}

/// A coroutine that is cancelled, and the operations in it that ran uncancelled afterwards.
private final class CancelledRun: Sendable {
    let coroutine = Mutex<CoroutineHandle?>(nil)
    let uncancelled = Atomic(0)
    private let isCancelled = Atomic(false)

    func cancel() {
        self.coroutine.withLock { $0 }?.cancel()
        self.isCancelled.store(true, ordering: .releasing)
    }

    /// Called in an operation.
    func look() {
        let mustBeCancelled = self.isCancelled.load(ordering: .acquiring)
        if mustBeCancelled, !Task.isCancelled { self.uncancelled.add(1, ordering: .relaxed) }
    }
}
