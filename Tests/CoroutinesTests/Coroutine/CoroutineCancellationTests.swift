// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Testing

/// What cancelling a coroutine's task does, at each moment of its life.
@Suite("Cancelling a coroutine", .timeLimit(.minutes(10)))
struct CoroutineCancellationTests {
    private let executor = ManualExecutor()
    private let log = EventLog()

    private func start(_ body: @escaping @Sendable () throws -> Void) -> Task<Void, any Error> {
        Task(executorPreference: self.executor) { [log] in
            try await withCoroutine {
                defer { log.record("end") }
                try body()
            }
        }
    }

    @Test func `before the start, the body runs to its first wait`() async throws {
        let task = self.start { [log] in
            log.record("begin")
            try Coroutine.await { log.unreached() }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        #expect(self.log.events == ["begin", "end"])
    }

    @Test func `before the start, a body that never waits ends well`() async throws {
        let task = self.start { [log] in log.record("\(Coroutine.isCancelled)") }
        task.cancel()
        try await self.executor.run(untilEndOf: task)
        #expect(self.log.events == ["true", "end"])
    }

    @Test func `at the pending operation, it is the operation that throws`() async throws {
        let clock = TestClock()
        let task = self.start { [log] in
            try Coroutine.await {
                do { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) } catch {
                    log.record("operation: \(type(of: error))")
                    throw error
                }
            }
            log.unreached()
        }
        self.executor.run()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        #expect(self.log.events == ["operation: CancellationError", "end"])
    }

    /// The operation has begun and takes no notice: its result arrives, and the next wait throws.
    @Test func `at an operation that takes no notice`() async throws {
        let task = self.start { [log, executor] in
            let value = try Coroutine.await {
                await withCheckedContinuation { continuation in executor.perform { continuation.resume(returning: 7) } }
            }
            log.record("\(value)")
            try Coroutine.yield()
            log.unreached()
        }
        self.executor.runOne()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        #expect(self.log.events == ["7", "end"])
    }

    @Test func `at the pending callback, it ends the wait at once`() async throws {
        let task = self.start { [log, executor] in
            _ = try Coroutine.await { (callback: Callback<Int, any Error>) in
                callback.onCancel { log.record("stopped: \(executor.isCurrent)") }
                // Kept until it is answered, too late.
                executor.perform { log.record("answer accepted: \(callback.resume(returning: 1))") }
            }
            log.unreached()
        }
        self.executor.runOne()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        #expect(self.log.events == ["answer accepted: false", "stopped: true", "end"])
    }

    @Test func `at a pending delay`() async throws {
        let clock = TestClock()
        let task = self.start { [log] in
            try Coroutine.delay(.seconds(1), clock: clock)
            log.unreached()
        }
        self.executor.run()
        #expect(clock.sleeperCount == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        #expect(clock.sleeperCount == 0)
    }

    /// A coroutine that yields has been resumed, and so goes on to its next wait.
    @Test func `at a yield`() async throws {
        let task = self.start { [log] in
            try Coroutine.yield()
            log.record("resumed")
            try Coroutine.yield()
            log.unreached()
        }
        self.executor.runOne()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        #expect(self.log.events == ["resumed", "end"])
    }

    /// Every further wait throws at once, without suspending: code that swallows the error comes to its end.
    @Test func swallowed() async throws {
        let task = self.start { [log] in
            for round in 0..<5 {
                do { try Coroutine.await { await Task.yield() } } catch { log.record("\(round): \(type(of: error))") }
            }
            log.record("went on")
        }
        task.cancel()
        try await self.executor.run(untilEndOf: task)
        let errors = (0..<5).map { "\($0): CancellationError" }
        #expect(self.log.events == errors + ["went on", "end"])
    }

    /// Cleaning up may need to wait.
    ///
    /// A task of its own is not cancelled.
    @Test func `waiting in a defer`() async throws {
        let task = self.start { [log] in
            defer {
                do { try Coroutine.await { log.unreached() } } catch { log.record("in defer: \(type(of: error))") }
            }
            try Coroutine.yield()
            try Coroutine.yield()
        }
        self.executor.runOne()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        #expect(self.log.events == ["in defer: CancellationError", "end"])
    }

    /// The error goes through all frames, and each cleans up.
    @Test func `unwinds all frames`() async throws {
        @Sendable func descend(_ level: Int, _ token: LifetimeTracker.Token) throws {
            defer { self.log.record("\(level)") }
            if level == 100 {
                try Coroutine.yield()
                try Coroutine.yield()
            }
            try [level + 1].forEach { try descend($0, token) }
        }
        let tracker = LifetimeTracker()
        let task = self.start { try descend(1, tracker.token()) }
        self.executor.runOne()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        let levels = (1...100).reversed().map { "\($0)" }
        #expect(self.log.events == levels + ["end"])
        #expect(tracker.alive == 0)
    }

    /// Cancelled twice, by two callers, while nested coroutines wait.
    @Test func nested() async throws {
        let task = self.start { [log] in
            try Coroutine.await {
                try await withCoroutine {
                    defer { log.record("inner end") }
                    try Coroutine.delay(.seconds(1000))
                    log.unreached()
                }
            }
            log.unreached()
        }
        self.executor.run()
        task.cancel()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
        #expect(self.log.events == ["inner end", "end"])
        #expect(self.log.violations.isEmpty)
    }

    /// No clock can count that far.
    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 18, .nanoseconds(Int64.max)])
    func `a delay without an end`(duration: Duration) async throws {
        let task = self.start { try Coroutine.delay(duration) }
        self.executor.run()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: task) }
    }

    /// A coroutine in a task that is not cancelled goes on, whatever becomes of its neighbours.
    @Test func `others go on`() async throws {
        let first = self.start { try Coroutine.delay(.seconds(1000)) }
        let second = self.start { for _ in 0..<10 { try Coroutine.yield() } }
        self.executor.run()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await self.executor.run(untilEndOf: first) }
        try await self.executor.run(untilEndOf: second)
        #expect(self.log.events == ["end", "end"])
    }
}
