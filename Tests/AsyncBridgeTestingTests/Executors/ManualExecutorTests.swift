// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Dispatch
import Testing

@Suite(.timeLimit(.minutes(10))) struct ManualExecutorTests {
    let executor = ManualExecutor()
    let log = EventLog()

    @Test func `queues until told to run`() async throws {
        let log = self.log
        let task = Task(executorPreference: self.executor) { log.expect(2) }
        try await self.executor.jobs(atLeast: 1)
        #expect(self.executor.count == 1)
        #expect(!self.executor.isEmpty)
        log.expect(1)
        #expect(self.executor.runOne())
        log.finish(3)
        await task.value
        #expect(log.finished() == [])
    }

    @Test func `has nothing to run at first`() {
        #expect(self.executor.isEmpty)
        #expect(!self.executor.runOne())
        #expect(self.executor.run() == 0)
    }

    @Test func `runs one job at a time: oldest first`() {
        let log = self.log
        for step in 2...4 { self.executor.perform { log.expect(step) } }
        log.expect(1)
        self.executor.runOne()
        #expect(self.executor.count == 2)
        #expect(log.events == ["1", "2"])
        #expect(self.executor.run() == 2)
        #expect(log.violations == [])
    }

    @Test func `runs what comes meanwhile`() {
        let (executor, log) = (self.executor, self.log)
        executor.perform {
            log.record("first")
            executor.perform { log.record("second") }
        }
        #expect(executor.run() == 2)
        #expect(log.events == ["first", "second"])
    }

    @Test func `forces an interleaving of two tasks`() async throws {
        let (executor, log) = (self.executor, self.log)
        let first = Task(executorPreference: executor) {
            log.expect(1)
            await Task.yield()
            log.expect(3)
        }
        try await executor.jobs(atLeast: 1)
        let second = Task(executorPreference: executor) {
            log.expect(2)
            await Task.yield()
            log.finish(4)
        }
        try await executor.jobs(atLeast: 2)
        executor.run()
        await first.value
        await second.value
        #expect(log.finished() == [])
    }

    @Test func `serves an actor`() async throws {
        let (executor, log) = (self.executor, self.log)
        let counter = Counter(executor)
        let task = Task { await counter.increment() }
        try await executor.jobs(atLeast: 1)
        log.expect(1)
        executor.perform { log.expect(2) }
        #expect(executor.run() == 2)
        #expect(await task.value == 1)
        log.finish(3)
        #expect(log.finished() == [])
    }

    @Test func `is the actors executor while it runs its job`() async throws {
        let executor = self.executor
        let counter = Counter(executor)
        let task = Task { await counter.assumeFromOutside() }
        try await executor.jobs(atLeast: 1)
        executor.run()
        #expect(await task.value)
        #expect(!executor.isCurrent)
    }

    @Test func `runs on another thread`() async throws {
        let (executor, log) = (self.executor, self.log)
        executor.perform { log.record(executor.isCurrent ? "current" : "not current") }
        DispatchQueue.global().async { executor.run() }
        try await log.events(atLeast: 1)
        #expect(log.events == ["current"])
    }

    @Test func `runs one job at a time on many threads`() async throws {
        let executor = self.executor
        // Not synchronised by itself: the thread sanitizer would see two jobs at once.
        let unguarded = Unguarded()
        for _ in 0..<200 { executor.perform { unguarded.number += 1 } }
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { _ = executor.run() } }
        }
        executor.run()
        #expect(unguarded.number == 200)
    }

    @Test func `wait for jobs is cancelled`() async {
        let executor = self.executor
        let task = Task { try await executor.jobs(atLeast: 1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private final class Unguarded: @unchecked Sendable {
        var number = 0
    }
}

private actor Counter {
    private let executor: ManualExecutor
    private var number = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

    init(_ executor: ManualExecutor) { self.executor = executor }

    func increment() -> Int {
        self.number += 1
        return self.number
    }

    func assumeFromOutside() -> Bool {
        self.assumeIsolated { $0.executor.isCurrent }
    }
}
