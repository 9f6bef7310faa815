// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Synchronization
import Testing

/// A scheduler drops a closure: its coroutine is unwound at once, in the call that drops the closure.
@Suite("A scheduled coroutine: its scheduler drops it", .timeLimit(.minutes(10)))
struct DroppedStepTests {
    private let scheduler = ManualScheduler()
    private let log = EventLog()
    private let errors = Collected<any Error>()
    private let tracker = LifetimeTracker()

    private func start(_ task: @escaping @Sendable () throws -> Void) -> CoroutineHandle {
        let (errors, token) = (self.errors, self.tracker.token("captured by the code"))
        return self.scheduler.startCoroutine(onError: { errors.append($0) }) {
            defer { _ = token }
            try task()
        }
    }

    /// Everything has happened when the call that dropped the closure has returned.
    private func expectUnwound(_ coroutine: CoroutineHandle) {
        let hasEnded = Mutex(false)
        coroutine.whenComplete { hasEnded.withLock { $0 = true } }
        #expect(hasEnded.withLock { $0 })
        #expect(coroutine.isCancelled)
        #expect(self.errors.all.isEmpty)
        #expect(self.tracker.alive == 0, "\(self.tracker.aliveLabels)")
        #expect(self.log.finished().isEmpty, "\(self.log.finished())")
        #expect(self.scheduler.count == 0)
    }

    /// Drops a step that another thread has scheduled, whose call may not have returned, and so keeps it until it does.
    private func dropOne(of coroutine: CoroutineHandle) async throws {
        self.scheduler.dropOne()
        await coroutine.finished()
    }

    @Test func `before the first step, the code never runs`() {
        let log = self.log
        let coroutine = self.start { log.unreached() }
        self.scheduler.dropOne()
        log.finish(1)
        self.expectUnwound(coroutine)
    }

    @Test func `while it yields`() {
        let (log, tracker) = (self.log, self.tracker)
        let coroutine = self.start {
            let token = tracker.token("in a frame")
            defer {
                _ = token
                log.finish(2)
            }
            log.expect(1)
            try Coroutine.yield()
            log.unreached()
        }
        self.scheduler.runOne()
        self.scheduler.dropOne()
        self.expectUnwound(coroutine)
    }

    /// What has come is not given to code that would go on with it on the wrong thread.
    @Test func `with the result of an operation, the result is released`() async throws {
        let (log, tracker) = (self.log, self.tracker)
        let coroutine = self.start {
            defer { log.finish(2) }
            log.expect(1)
            let token = try Coroutine.await { tracker.token("a result") }
            _ = token
            log.unreached()
        }
        self.scheduler.runOne()
        try await self.scheduler.arrivals(atLeast: 2)
        #expect(tracker.aliveLabels.contains("a result"))
        try await self.dropOne(of: coroutine)
        self.expectUnwound(coroutine)
    }

    @Test func `with the error of an operation, the wait throws a cancellation error`() async throws {
        let log = self.log
        let coroutine = self.start {
            do {
                try Coroutine.await { throw Failure() }
                log.unreached()
            } catch {
                #expect(error is CancellationError)
                log.finish(1)
                throw error
            }
        }
        self.scheduler.runOne()
        try await self.scheduler.arrivals(atLeast: 2)
        try await self.dropOne(of: coroutine)
        self.expectUnwound(coroutine)
    }

    @Test func `with the value of a callback`() async throws {
        let (log, callbacks) = (self.log, Collected<Callback<Int, any Error>>())
        let coroutine = self.start {
            defer { log.finish(1) }
            let value: Int = try Coroutine.await { callbacks.append($0) }
            _ = value
            log.unreached()
        }
        self.scheduler.runOne()
        callbacks.all.first?.resume(returning: 7)
        try await self.scheduler.arrivals(atLeast: 2)
        try await self.dropOne(of: coroutine)
        self.expectUnwound(coroutine)
    }

    @Test func `each later wait throws`() {
        let log = self.log
        let coroutine = self.start {
            for _ in 0..<3 {
                #expect(throws: CancellationError.self) { try Coroutine.yield() }
                #expect(throws: CancellationError.self) { try Coroutine.await { log.unreached() } }
                #expect(throws: CancellationError.self) { try Coroutine.delay(.seconds(3600)) }
                #expect(throws: CancellationError.self) { try ImmediateScheduler().await { log.unreached() } }
                #expect(Coroutine.isCancelled)
                #expect(Coroutine.isInsideCoroutine)
            }
            log.finish(1)
        }
        self.scheduler.runOne()
        self.scheduler.dropOne()
        self.expectUnwound(coroutine)
    }

    @Test func `what it throws instead is an error`() {
        let errors = Collected<any Error>()
        self.scheduler.startCoroutine(onError: { errors.append($0) }) {
            do { try Coroutine.yield() } catch { throw Failure(7) }
        }
        self.scheduler.runOne()
        self.scheduler.dropOne()
        #expect(errors.all.map { $0 as? Failure } == [Failure(7)])
    }

    /// The schedulers of the coroutine's first step and of all others are different moments of one.
    @Test func `a scheduler that is closed unwinds in the call that schedules`() {
        let (log, errors) = (self.log, self.errors)
        let scheduler = ClosingScheduler(closesAfter: 3)
        let coroutine = scheduler.startCoroutine(onError: { errors.append($0) }) {
            defer { log.finish(4) }
            log.expect(1)
            try Coroutine.yield()
            log.expect(2)
            try Coroutine.yield()
            log.expect(3)
            try Coroutine.yield()
            log.unreached()
        }
        #expect(coroutine.isCancelled)
        #expect(errors.all.isEmpty)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    private final class ClosingScheduler: CoroutineScheduler {
        private let rest: Mutex<Int>

        init(closesAfter count: Int) { self.rest = Mutex(count) }

        func scheduleTask(_ task: @escaping @Sendable () -> Void) {
            let isOpen = self.rest.withLock { rest in
                rest -= 1
                return rest >= 0
            }
            if isOpen { task() }
        }
    }

    @Test func `while another coroutine runs, that one goes on`() {
        let (log, scheduler) = (self.log, self.scheduler)
        let dropped = self.start {
            defer { log.expect(2) }
            try Coroutine.yield()
            log.unreached()
        }
        scheduler.runOne()
        ImmediateScheduler().startCoroutine {
            log.expect(1)
            scheduler.dropOne()
            #expect(!Coroutine.isCancelled)
            #expect(Coroutine.isInsideCoroutine)
            try Coroutine.yield()
            log.finish(3)
        }
        self.expectUnwound(dropped)
    }

    /// The stacks of the coroutines before serve those after; a leak would reserve more and more.
    @Test func `the stack goes back`() {
        for _ in 0..<20_000 {
            self.scheduler.startCoroutine(stackSize: StackSize(kibibytes: 8192)) { try Coroutine.yield() }
            self.scheduler.runOne()
            self.scheduler.dropOne()
        }
        #expect(BridgeDiagnostics.stacks.reservedBytes < 20_000 * 8192 << 10)
    }
}
