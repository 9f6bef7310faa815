// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Coroutines
import Foundation
import Testing

@Suite("Operation queues")
struct OperationQueueTests {
    private struct Failure: Error {}

    private let queue: OperationQueue

    init() {
        self.queue = OperationQueue()
        self.queue.maxConcurrentOperationCount = 1
    }

    @Test func run_returnsWhatTheClosureReturns() async throws {
        #expect(try await self.queue.run { 42 } == 42)
    }

    @Test func run_throwsWhatTheClosureThrows() async {
        await #expect(throws: Failure.self) { try await self.queue.run { throw Failure() } }
    }

    @Test func run_cancelledBeforeItsTurn_neverBegins() async throws {
        let gate = Gate()
        self.queue.addOperation { gate.wait() }
        let hasRun = Watched(false)
        let queue = self.queue
        let task = Task { try await queue.run { hasRun.change { $0 = true } } }
        await eventually { queue.operationCount == 2 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.open()
        try await queue.run {}
        #expect(!hasRun.value)
    }

    @Test func run_whenTheQueueIsEmptied_throwsCancellationError() async throws {
        let gate = Gate()
        self.queue.addOperation { gate.wait() }
        let queue = self.queue
        let task = Task { try await queue.run { 42 } }
        await eventually { queue.operationCount == 2 }
        queue.cancelAllOperations()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func runOperation_waitsForItsEnd_andCallsItsOwnBlock() async throws {
        let calls = Watched<[String]>([])
        let operation = BlockOperation { calls.change { $0.append("operation") } }
        operation.completionBlock = { calls.change { $0.append("block") } }
        try await self.queue.run(operation)
        #expect(calls.value == ["operation", "block"])
    }

    @Test func runOperation_cancelled_waitsForItsEnd() async throws {
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
        await eventually { operation.isCancelled }
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(steps.value == ["begun", "ended"])
    }

    @Test func aCoroutineOnAQueue_resumesThere() async throws {
        let queue = self.queue
        let isThere = try await queue.coroutineFuture {
            let before = OperationQueue.current === queue
            try Coroutine.await { await Task.yield() }
            return before && OperationQueue.current === queue
        }.value
        #expect(isThere)
    }

    @Test func cancelAllOperations_unwindsCoroutines() async throws {
        let gate = Gate()
        self.queue.addOperation { gate.wait() }
        let hasRun = Watched(false)
        let handle = self.queue.startCoroutine { hasRun.change { $0 = true } }
        self.queue.cancelAllOperations()
        gate.open()
        await withCheckedContinuation { end in handle.whenComplete { end.resume() } }
        #expect(!hasRun.value)
    }
}
