// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing
import WhatsThatServices
import WhatsThatTesting

/// For red pictures the model of these tests never ends by itself; others have their answer at once.
@Suite(
    "Sessions",
    .timeLimit(.minutes(10)),
    .serialized,
    .enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)")
)
struct SessionTests {
    private let endless: Image
    private let quick: Image

    init() throws {
        self.endless = Image(bytes: try Drawing(.red).file(.png))
        self.quick = Image(bytes: try Drawing(.green).file(.png))
    }

    private func service(running: Int) throws -> ImageClassifierService {
        try TestLibrary.service(TestModels.endless(onlyForRed: true), running: running) { $0.softmax = true }
    }

    /// Spends a little time, so that the others are at another point of their work.
    private func pause(_ turns: Int) async { for _ in 0..<turns { await Task.yield() } }

    @Test
    func `a run does not wait for an endless one, in 200 rounds`() async throws {
        let service = try self.service(running: 2)
        for round in 0..<200 {
            let endless = Task { try await service.classifyImage(self.endless) }
            await self.pause(round % 50)
            #expect(try await service.classifyImage(self.quick).candidates.first?.label == "green")
            endless.cancel()
            await #expect(throws: CancellationError.self) { try await endless.value }
        }
    }

    @Test
    func `of two endless runs the cancelled one ends, whichever it is, in 200 rounds`() async throws {
        let service = try self.service(running: 2)
        for round in 0..<200 {
            let runs = (0..<2).map { _ in Task { try await service.classifyImage(self.endless) } }
            await self.pause(round)
            for run in round.isMultiple(of: 2) ? runs : runs.reversed() {
                run.cancel()
                await #expect(throws: CancellationError.self) { try await run.value }
            }
        }
    }

    @Test
    func `waiters that are cancelled at many moments end at once, and take no session`() async throws {
        let service = try self.service(running: 2)
        let log = EventLog()
        let endless = (0..<2).map { _ in service.classifyImage(self.endless) { _ in log.record("ended") } }
        for round in 0..<200 {
            // Before the endless ones have the sessions, some of these may be quicker.
            let waiter = Task { try await service.classifyImage(self.endless) }
            await self.pause(round * round / 100)
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
        }
        #expect(log.events.isEmpty)
        for request in endless { request.cancel() }
        try await log.events(atLeast: 2)
        // Both sessions are free again.
        let last = service.classifyImage(self.endless) { _ in log.record("ended") }
        #expect(try await service.classifyImage(self.quick).candidates.first?.label == "green")
        last.cancel()
        try await log.events(atLeast: 3)
    }

    @Test
    func `one session is enough for many, one after the other`() async throws {
        let service = try self.service(running: 1)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<100 {
                group.addTask { try await service.classifyImage(self.quick).candidates.first?.label }
            }
            for try await label in group { #expect(label == "green") }
        }
    }

    @Test
    func `fewer than one at a time are taken as one`() async throws {
        #expect(try await self.service(running: 0).classifyImage(self.quick).candidates.first?.label == "green")
    }

    @Test
    func `a service that goes away with waiters still answers them`() async throws {
        for round in 0..<30 {
            var service: ImageClassifierService? = try self.service(running: 1)
            let log = EventLog()
            let endless = service?.classifyImage(self.endless) { _ in log.record("endless") }
            await self.pause(round * 5)
            for _ in 0..<3 {
                service?.classifyImage(self.quick) { result in
                    log.record((try? result.get())?.candidates.first?.label ?? "none")
                }
            }
            let cancelled = service?.classifyImage(self.endless) { _ in log.record("cancelled") }
            service = nil
            await self.pause(round * 5)
            cancelled?.cancel()
            endless?.cancel()
            try await log.events(atLeast: 5)
            #expect(log.events.sorted() == ["cancelled", "endless", "green", "green", "green"])
        }
    }
}
