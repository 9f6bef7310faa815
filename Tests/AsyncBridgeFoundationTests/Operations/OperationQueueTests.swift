// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Coroutines
import Foundation
import Testing

@Suite("Operation queues", .timeLimit(.minutes(10)))
struct OperationQueueTests {
    private struct Failure: Error {}

    private let queue: OperationQueue

    init() {
        self.queue = OperationQueue()
        self.queue.maxConcurrentOperationCount = 1
    }

    @Test func `run returns what the closure returns`() async throws {
        #expect(try await self.queue.run { 42 } == 42)
    }

    @Test func `run throws what the closure throws`() async {
        await #expect(throws: Failure.self) { try await self.queue.run { throw Failure() } }
    }

    @Test func `run: cancelled before its turn, never begins`() async throws {
        let gate = Gate()
        self.queue.addOperation { gate.wait() }
        let hasRun = Watched(false)
        let queue = self.queue
        let task = Task { try await queue.run { hasRun.change { $0 = true } } }
        await until { queue.operationCount == 2 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        try await queue.run {}
        #expect(!hasRun.value)
    }

    @Test func `run, when the queue is emptied, throws cancellation error`() async throws {
        let gate = Gate()
        self.queue.addOperation { gate.wait() }
        let queue = self.queue
        let task = Task { try await queue.run { 42 } }
        await until { queue.operationCount == 2 }
        queue.cancelAllOperations()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `run operation waits for its end, and calls its own block`() async throws {
        let calls = Watched<[String]>([])
        let operation = BlockOperation { calls.change { $0.append("operation") } }
        operation.completionBlock = { calls.change { $0.append("block") } }
        try await self.queue.run(operation)
        #expect(calls.value == ["operation", "block"])
    }

    #if !canImport(Darwin)
    /// On Apple's systems Foundation drops the block when it calls it.
    @Test func `run operation: its own block is there again`() async throws {
        let operation = BlockOperation {}
        operation.completionBlock = nil
        try await self.queue.run(operation)
        #expect(operation.completionBlock == nil)
        let calls = Watched(0)
        let other = BlockOperation {}
        other.completionBlock = { calls.change { $0 += 1 } }
        try await self.queue.run(other)
        other.completionBlock?()
        #expect(calls.value == 2)
    }
    #endif

    @Test func `run operation: cancelled, waits for its end`() async throws {
        let gate = Gate()
        let steps = Watched<[String]>([])
        let operation = BlockOperation {
            steps.change { $0.append("begun") }
            gate.wait()
            steps.change { $0.append("ended") }
        }
        let queue = self.queue
        let task = Task { try await queue.run(operation) }
        await steps.wait { $0 == ["begun"] }
        task.cancel()
        await until { operation.isCancelled }
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(steps.value == ["begun", "ended"])
    }

    @Test func `run operation: cancelled behind a busy one, ends at once, and never runs`() async throws {
        let gate = Gate()
        self.queue.addOperation { gate.wait() }
        let operation = try await self.cancelledBeforeItsTurn()
        gate.open()
        await operation.finishesWithoutHavingRun()
    }

    @Test func `run operation: cancelled in a suspended queue, ends at once, and never runs`() async throws {
        self.queue.isSuspended = true
        let operation = try await self.cancelledBeforeItsTurn()
        self.queue.isSuspended = false
        await operation.finishesWithoutHavingRun()
    }

    @Test func `run operation: cancelled while it waits for another, ends at once, and never runs`() async throws {
        let other = BlockOperation {}
        weak var released: Operation?
        do {
            let operation = try await self.cancelledBeforeItsTurn(dependsOn: other)
            released = operation.operation
            // Foundation does not let it wait for the other.
            await operation.finishesWithoutHavingRun()
        }
        // Foundation's `other` knows it still.
        #expect(released != nil)
        try await self.queue.run(other)
        await until { released == nil }
    }

    @Test func `run operation, in a cancelled task, is kept until its dependencies end`() async throws {
        try await self.expectKept { queue, operation in
            Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await queue.run(operation)
            }
        }
    }

    @Test func `run operation: cancelled by another, is kept until its dependencies end`() async throws {
        try await self.expectKept { queue, operation in
            let task = Task { try await queue.run(operation) }
            await until { queue.operations.contains(operation) }
            operation.cancel()
            return task
        }
    }

    /// Runs an operation, which is cancelled, and drops it before the one on which it depends has ended.
    private func expectKept(_ run: (OperationQueue, BlockOperation) async -> Task<Void, any Error>) async throws {
        let other = BlockOperation {}
        weak var released: Operation?
        do {
            let operation = BlockOperation {}
            operation.addDependency(other)
            released = operation
            let task = await run(self.queue, operation)
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        await until { self.queue.operationCount == 0 }
        #if !canImport(Darwin)
        // Foundation's `other` knows the operation still, and does not keep it.
        try #require(released != nil)
        #endif
        try await self.queue.run(other)
        await until { released == nil }
    }

    @Test func `run operation, when a suspended queue is emptied, ends when the queue goes on`() async throws {
        self.queue.isSuspended = true
        let (queue, hasEnded) = (self.queue, Watched(false))
        let operation = BlockOperation { Issue.record("It was cancelled") }
        let task = Task {
            defer { hasEnded.change { $0 = true } }
            try await queue.run(operation)
        }
        await until { queue.operations.contains(operation) }
        queue.cancelAllOperations()
        #expect(!hasEnded.value)
        queue.isSuspended = false
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `run operation, in a cancelled task, is not added`() async throws {
        let queue = self.queue
        let operation = BlockOperation {}
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.run(operation)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(queue.operationCount == 0 && !operation.isCancelled)
    }

    /// When the call ends the operation has ended too, or never runs, but for one race.
    ///
    /// `run` documents it: a thread has just seen the operation not cancelled. Then it runs as a whole, after the call.
    @Test func `run operation: cancelled at random`() async throws {
        let queue = self.queue
        let rounds = StressScale.rounds(1000)
        var late = 0
        for _ in 0..<rounds {
            let steps = Watched(0)
            let finished = Watched(0)
            let operation = BlockOperation {
                steps.change { $0 += 1 }
                steps.change { $0 += 1 }
            }
            operation.completionBlock = { finished.change { $0 += 1 } }
            let task = Task { try await queue.run(operation) }
            for _ in 0..<Int.random(in: 0...30) { await Task.yield() }
            task.cancel()
            let result = await task.result
            let atTheEnd = steps.value
            #expect(atTheEnd == 0 || atTheEnd == 2)
            if case .success = result { #expect(atTheEnd == 2) }
            if case .failure(let error) = result { #expect(error is CancellationError) }
            try await queue.run {}
            if steps.value != atTheEnd {
                #expect(atTheEnd == 0 && steps.value == 2 && operation.isCancelled)
                late += 1
            }
            await until { finished.value == (operation.isFinished ? 1 : 0) }
        }
        #expect(late <= rounds / 10)
    }

    private struct Cancelled {
        let operation: BlockOperation
        let hasRun = Watched(false)
        let ends = Watched(0)

        init() {
            let (hasRun, ends) = (self.hasRun, self.ends)
            self.operation = BlockOperation { hasRun.change { $0 = true } }
            self.operation.completionBlock = { ends.change { $0 += 1 } }
        }

        func finishesWithoutHavingRun() async {
            await self.ends.wait { $0 > 0 }
            #expect(self.operation.isFinished && !self.hasRun.value && self.ends.value == 1)
        }
    }

    private func cancelledBeforeItsTurn(dependsOn other: Operation? = nil) async throws -> Cancelled {
        let cancelled = Cancelled()
        if let other { cancelled.operation.addDependency(other) }
        let (queue, operation) = (self.queue, cancelled.operation)
        let task = Task { try await queue.run(operation) }
        await until { queue.operations.contains(operation) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(operation.isCancelled)
        return cancelled
    }

    @Test func `a coroutine on a queue resumes there`() async throws {
        let queue = self.queue
        let isThere = try await queue.coroutineFuture {
            let before = OperationQueue.current === queue
            try Coroutine.await { await Task.yield() }
            return before && OperationQueue.current === queue
        }.value
        #expect(isThere)
    }

    @Test func `cancel all operations unwinds coroutines`() async throws {
        let gate = Gate()
        self.queue.addOperation { gate.wait() }
        let hasRun = Watched(false)
        let handle = self.queue.startCoroutine { hasRun.change { $0 = true } }
        self.queue.cancelAllOperations()
        gate.open()
        await handle.finished()
        #expect(!hasRun.value)
    }
}
