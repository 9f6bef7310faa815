// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

@Suite("startCoroutine", .timeLimit(.minutes(10)))
struct StartCoroutineTests {
    private let scheduler = ManualScheduler()
    private let log = EventLog()

    @Test func `the code runs when its scheduler runs it`() {
        let (scheduler, log) = (self.scheduler, self.log)
        log.expect(1)
        scheduler.startCoroutine { log.expect(3) }
        log.expect(2)
        scheduler.run()
        log.finish(4)
        #expect(log.finished().isEmpty, "\(log.finished())")
        #expect(scheduler.count == 0)
    }

    @Test func `after an operation, goes on when its scheduler runs it`() async throws {
        let (scheduler, log) = (self.scheduler, self.log)
        scheduler.startCoroutine {
            log.expect(1)
            let value = try Coroutine.await {
                await Task.yield()
                return 7
            }
            #expect(value == 7)
            log.expect(3)
        }
        scheduler.run()
        try await scheduler.arrivals(atLeast: 2)
        log.expect(2)
        scheduler.run()
        log.finish(4)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `after a late callback, goes on when its scheduler runs it`() async throws {
        let (scheduler, log) = (self.scheduler, self.log)
        let callbacks = Collected<Callback<Int, any Error>>()
        scheduler.startCoroutine {
            log.expect(1)
            let value: Int = try Coroutine.await { callbacks.append($0) }
            #expect(value == 7)
            log.expect(3)
        }
        scheduler.run()
        callbacks.all.first?.resume(returning: 7)
        try await scheduler.arrivals(atLeast: 2)
        log.expect(2)
        scheduler.run()
        log.finish(4)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `called back at once is not left`() {
        let (scheduler, log) = (self.scheduler, self.log)
        scheduler.startCoroutine {
            let value: Int = try Coroutine.await { $0.resume(returning: 7) }
            #expect(value == 7)
            log.expect(1)
        }
        scheduler.runOne()
        log.finish(2)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `a delay is measured by its clock`() async throws {
        let (scheduler, log, clock) = (self.scheduler, self.log, TestClock())
        scheduler.startCoroutine {
            try Coroutine.delay(.seconds(3600), clock: clock)
            log.expect(2)
        }
        scheduler.run()
        try await clock.sleepers(atLeast: 1)
        log.expect(1)
        clock.advance(by: .seconds(3600))
        try await scheduler.arrivals(atLeast: 2)
        scheduler.run()
        log.finish(3)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `yielding lets those go first that were there`() {
        let (scheduler, log) = (self.scheduler, self.log)
        scheduler.startCoroutine {
            log.expect(1)
            try Coroutine.yield()
            log.expect(3)
        }
        scheduler.startCoroutine { log.expect(2) }
        scheduler.run()
        log.finish(4)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `inside, it knows where it is`() {
        self.scheduler.startCoroutine {
            #expect(Coroutine.isInsideCoroutine)
            #expect(!Coroutine.isCancelled)
            #expect(throws: Never.self) { try Coroutine.checkCancellation() }
        }
        self.scheduler.run()
        #expect(!Coroutine.isInsideCoroutine)
    }

    @Test func `a coroutine started in a coroutine is one of its own`() async throws {
        let (scheduler, gate, log) = (self.scheduler, Gate(), self.log)
        scheduler.startCoroutine {
            let inner = ImmediateScheduler().startCoroutine {
                log.expect(1)
                try Coroutine.await { try await gate.pass() }
                log.expect(3)
            }
            // The inner one waits; this one does not.
            log.expect(2)
            gate.open()
            try Coroutine.await { await inner.ended() }
            log.finish(4)
        }
        scheduler.run()
        try await scheduler.arrivals(atLeast: 2)
        scheduler.run()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `many coroutines take turns`() {
        let (scheduler, order) = (self.scheduler, Collected<Int>())
        for number in 0..<100 {
            scheduler.startCoroutine {
                for round in 0..<10 {
                    order.append(round * 100 + number)
                    try Coroutine.yield()
                }
            }
        }
        scheduler.run()
        #expect(order.all == Array(0..<1000))
    }

    @Test func `the operation has the priority that was current at the start`() async throws {
        let (scheduler, priorities) = (self.scheduler, Collected<TaskPriority>())
        // Higher than the test itself: code that awaits a task raises its priority to its own, if that is higher.
        await Task(priority: .high) {
            _ = scheduler.startCoroutine {
                try Coroutine.await { priorities.append(Task.currentPriority) }
            }
        }.value
        scheduler.run()
        try await scheduler.arrivals(atLeast: 2)
        scheduler.run()
        #expect(priorities.all == [.high])
    }

    @Test func `a scope has it until it ends`() {
        let scope = CoScope()
        let coroutine = self.scheduler.startCoroutine(in: scope) {}
        #expect(!scope.isEmpty)
        self.scheduler.run()
        #expect(scope.isEmpty)
        #expect(!coroutine.isCancelled)
    }

    @Test func `what the code captures goes with its end: also while the handle is kept`() {
        let tracker = LifetimeTracker()
        let coroutine = self.scheduler.startCoroutine { [token = tracker.token()] in _ = token }
        #expect(tracker.alive == 1)
        self.scheduler.run()
        #expect(tracker.alive == 0)
        #expect(!coroutine.isCancelled)
    }

    @Test func `what the code captures may wait in its deinit`() async throws {
        let (scheduler, log, gate) = (self.scheduler, self.log, CoPromise<Int>())
        final class Waiting: Sendable {
            let log: EventLog
            let gate: CoPromise<Int>
            init(_ log: EventLog, _ gate: CoPromise<Int>) { (self.log, self.gate) = (log, gate) }
            deinit {
                _ = try? Coroutine.await { [gate] in try await gate.value }
                self.log.record("deinit")
            }
        }
        let coroutine = scheduler.startCoroutine { [waiting = Waiting(log, gate)] in _ = waiting }
        scheduler.run()
        #expect(log.events.isEmpty)
        gate.success(1)
        try await scheduler.arrivals(atLeast: 2)
        scheduler.run()
        await coroutine.ended()
        #expect(log.events == ["deinit"])
    }

    // The optimiser of Swift 6.2.3 ends with an assertion at it.
    #if compiler(>=6.3)
    /// `sync` runs the closure on this thread, within the queue.
    @Test func `a scheduler that runs closures in place runs each step within itself`() {
        let log = self.log
        let scheduler = SyncScheduler()
        scheduler.startCoroutine {
            dispatchPrecondition(condition: .onQueue(scheduler.queue))
            log.expect(1)
            try Coroutine.yield()
            dispatchPrecondition(condition: .onQueue(scheduler.queue))
            log.expect(2)
        }
        log.finish(3)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }
    #endif

    private struct SyncScheduler: CoroutineScheduler {
        let queue = DispatchQueue(label: "in place")

        func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.queue.sync(execute: task) }
    }

    @Test func `a second run of a closure does nothing`() {
        let log = self.log
        let scheduler = TwiceScheduler()
        scheduler.startCoroutine {
            log.expect(1)
            try Coroutine.yield()
            log.expect(2)
        }
        log.finish(3)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    private struct TwiceScheduler: CoroutineScheduler {
        func scheduleTask(_ task: @escaping @Sendable () -> Void) {
            task()
            task()
        }
    }
}

@Suite("startCoroutine: errors", .timeLimit(.minutes(10)))
struct StartCoroutineErrorTests {
    private let scheduler = ManualScheduler()

    @Test func `what the code throws goes to its handler, on its scheduler`() {
        let errors = Collected<any Error>()
        let coroutine = self.scheduler.startCoroutine(onError: { errors.append($0) }) { throw Failure(7) }
        #expect(errors.all.isEmpty)
        self.scheduler.run()
        #expect(errors.all.map { $0 as? Failure } == [Failure(7)])
        #expect(!coroutine.isCancelled)
    }

    @Test func `an error thrown after a wait goes to its handler`() async throws {
        let errors = Collected<any Error>()
        self.scheduler.startCoroutine(onError: { errors.append($0) }) {
            try Coroutine.await {
                await Task.yield()
                throw Failure(7)
            }
        }
        self.scheduler.run()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        #expect(errors.all.map { $0 as? Failure } == [Failure(7)])
    }

    @Test func `a cancellation error of a coroutine that was not cancelled is an error`() {
        let errors = Collected<any Error>()
        self.scheduler.startCoroutine(onError: { errors.append($0) }) { throw CancellationError() }
        self.scheduler.run()
        #expect(errors.all.count == 1)
    }

    @Test func `another error of a cancelled coroutine is an error`() {
        let errors = Collected<any Error>()
        let coroutine = self.scheduler.startCoroutine(onError: { errors.append($0) }) {
            do { try Coroutine.yield() } catch { throw Failure(7) }
            try Coroutine.checkCancellation()
            throw Failure(7)
        }
        self.scheduler.runOne()
        coroutine.cancel()
        self.scheduler.run()
        #expect(errors.all.map { $0 is CancellationError } == [])
    }

    @Test func `the handler runs outside the coroutine, before those who await the end`() {
        let log = EventLog()
        self.scheduler.startCoroutine(
            onError: { _ in
                #expect(!Coroutine.isInsideCoroutine)
                log.expect(1)
            },
            task: { throw Failure() }
        ).whenComplete { log.finish(2) }
        self.scheduler.run()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `what an error holds is not kept`() {
        struct Holding: Error { let token: LifetimeTracker.Token }
        let tracker = LifetimeTracker()
        let coroutine = self.scheduler.startCoroutine(
            onError: { _ in },
            task: { throw Holding(token: tracker.token()) }
        )
        self.scheduler.run()
        #expect(tracker.made == 1)
        #expect(tracker.alive == 0)
        coroutine.cancel()
    }
}

@Suite("UncaughtErrors", .serialized, .timeLimit(.minutes(10)))
struct UncaughtErrorsTests {
    @Test func `without a handler of its own, the error goes to that of the process, with the place`() {
        let errors = Collected<(error: Failure, started: CallSite)>()
        BridgeDiagnostics.uncaughtErrorHandler = { error, started in
            if let error = error as? Failure { errors.append((error, started)) }
        }
        defer { BridgeDiagnostics.uncaughtErrorHandler = nil }
        let scheduler = ManualScheduler()
        scheduler.startCoroutine { throw Failure(4711) }
        let line = UInt(#line - 1)
        scheduler.run()
        let ours = errors.all.filter { $0.error == Failure(4711) }
        #expect(ours.map(\.started) == [CallSite(fileID: #fileID, line: line)])
    }

    @Test func `without any, they are written to standard error`() async {
        await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            ImmediateScheduler().startCoroutine { throw CoroutineError.outsideCoroutine }
        }
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            ImmediateScheduler().startCoroutine { throw CoroutineError.wouldBlockTask }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("StartCoroutineTests.swift:"))
        #expect(text.contains("Write `await`"))
    }

    /// Else each error would take more time and more of the stack than the one before.
    @Test func `the thousandth call takes no more of the stack than the first`() throws {
        let places = Collected<UInt>()
        BridgeDiagnostics.uncaughtErrorHandler = { error, _ in
            guard error as? Failure == Failure(4713) else { return }
            var place: UInt8 = 0
            places.append(unsafe withUnsafeMutablePointer(to: &place) { UInt(bitPattern: $0) })
        }
        defer { BridgeDiagnostics.uncaughtErrorHandler = nil }
        for _ in 0..<1000 { BridgeDiagnostics.uncaughtErrorHandler?(Failure(4713), CallSite(line: 1)) }
        #expect(places.all.count == 1000)
        let (lowest, highest) = (try #require(places.all.min()), try #require(places.all.max()))
        #expect(highest - lowest < 256)
    }

    /// No user code ends under the lock.
    @Test func `the end of a replaced handler may ask for the next`() {
        let hadAHandler = Collected<Bool>()
        BridgeDiagnostics.uncaughtErrorHandler = {
            [last = LastWord { hadAHandler.append(BridgeDiagnostics.uncaughtErrorHandler != nil) }] _, _ in
            _ = last
        }
        BridgeDiagnostics.uncaughtErrorHandler = nil
        #expect(hadAHandler.all == [false])
    }

    @Test func `the replaced handler is released`() {
        let tracker = LifetimeTracker()
        BridgeDiagnostics.uncaughtErrorHandler = { [token = tracker.token()] _, _ in _ = token }
        #expect(tracker.alive == 1)
        BridgeDiagnostics.uncaughtErrorHandler = nil
        #expect(tracker.alive == 0)
    }
}
