// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import AsyncBridgeTesting
import Foundation
import OpenCombineShim
import Synchronization
import Testing
import WhatsThatServices
import WhatsThatTesting

/// The model of these tests never ends by itself: what ends has been stopped.
@Suite(
    "Cancellation",
    .timeLimit(.minutes(10)),
    .serialized,
    .enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)")
)
struct CancellationTests {
    private let image: Image

    init() throws { self.image = Image(bytes: try Drawing(.red).file(.png)) }

    /// Spends a little time, so that the model is at another point of its work.
    private func pause(_ turns: Int) async { for _ in 0..<turns { await Task.yield() } }

    @Test
    func `at many moments, a task's request ends with CancellationError, and the model has stopped`() async throws {
        let service = try TestLibrary.service(TestModels.endless())
        for round in 0..<300 {
            let task = Task { try await service.classifyImage(self.image) }
            await self.pause(round * round / 20)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        // The sessions are free again, or this one would wait forever.
        let request = Task { try await service.classifyImage(self.image) }
        request.cancel()
        _ = await request.result
    }

    @Test
    func `of several that run at once, only the cancelled one ends`() async throws {
        let service = try TestLibrary.service(TestModels.endless())
        let log = EventLog()
        let other = service.classifyImage(self.image) { _ in log.record("other") }
        let task = Task { try await service.classifyImage(self.image) }
        await self.pause(100)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.events.isEmpty)
        other.cancel()
        try await log.events(atLeast: 1)
    }

    @Test
    func `a request's completion is called once, however often and from wherever it is cancelled`() async throws {
        let service = try TestLibrary.service(TestModels.endless())
        let calls = Mutex(0)
        for round in 0..<100 {
            await #expect(throws: CancellationError.self) {
                try await withCallback(of: ImageClassifierService.Classification.self) { callback in
                    let request = service.classifyImage(self.image) { result in
                        calls.withLock { $0 += 1 }
                        callback.resume(with: result)
                    }
                    for _ in 0..<3 { DispatchQueue.global().async { request.cancel() } }
                    if round.isMultiple(of: 2) { request.cancel() }
                }
            }
        }
        #expect(calls.withLock { $0 } == 100)
    }

    @Test
    func `futures and subscriptions stop the model too`() async throws {
        // Two sessions: if the model went on, none of them would be free in the end.
        let service = try TestLibrary.service(TestModels.endless())
        for round in 0..<50 {
            let future = service.classificationFuture(of: self.image)
            let subscription = service.classificationPublisher(of: self.image).sink { _ in
            } receiveValue: { _ in
            }
            await self.pause(round * 5)
            future.cancel()
            subscription.cancel()
        }
        let task = Task { try await service.classifyImage(self.image) }
        await self.pause(50)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func `in a cancelled task nothing is started`() async throws {
        let service = try TestLibrary.service(TestModels.endless())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await service.classifyImage(self.image)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func `a service may go away while it works, also on the model's own thread`() async throws {
        for round in 0..<30 {
            var service: ImageClassifierService? = try TestLibrary.service(TestModels.endless())
            let log = EventLog()
            let request = service?.classifyImage(self.image) { _ in log.record("ended") }
            service = nil
            await self.pause(round * 20)
            request?.cancel()
            try await log.events(atLeast: 1)
        }
    }

    @Test
    func `at many moments, a request that ends by itself gets its answer or CancellationError`() async throws {
        let service = try TestLibrary.service()
        let outcomes = Mutex((answered: 0, cancelled: 0))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask { @Sendable in
                    for round in 0..<250 {
                        let task = Task { try await service.classifyImage(self.image) }
                        await self.pause((round * 7 + worker) % 60)
                        task.cancel()
                        do {
                            let classification = try await task.value
                            #expect(classification.candidates.first?.label == "red")
                            outcomes.withLock { $0.answered += 1 }
                        } catch {
                            #expect(error is CancellationError)
                            outcomes.withLock { $0.cancelled += 1 }
                        }
                    }
                }
            }
        }
        let (answered, cancelled) = outcomes.withLock { $0 }
        #expect(answered + cancelled == 1000)
        // Else the moments were not at random.
        #expect(cancelled > 0)
    }

    @Test
    func `nothing is left of many cancelled runs`() async throws {
        let service = try TestLibrary.service(TestModels.endless())
        func runs(_ count: Int) async {
            for round in 0..<count {
                let task = Task { try await service.classifyImage(self.image) }
                await self.pause(round % 50)
                task.cancel()
                _ = await task.result
            }
        }
        await runs(200)
        let before = try Self.residentMegabytes()
        await runs(1000)
        #expect(try Self.residentMegabytes() < before + 30)
    }

    private static func residentMegabytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return pages * 4096 >> 20
    }
}
