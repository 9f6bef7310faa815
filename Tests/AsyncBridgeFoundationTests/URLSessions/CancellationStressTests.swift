// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AbandoningTests {
    /// Requests that are cancelled around their answers; `STRESS_MULTIPLIER=50` makes it 100,000 of each kind.
    @Suite("Cancelling requests at random moments", .serialized)
    final class CancellationStressTests: Sendable {
        private let server: TestServer

        init() throws { self.server = try TestServer() }

        deinit { self.server.stop() }

        @Test(arguments: [TransferCancellation.standard, .cancel], ["now", "redirect"])
        func `without a cache`(_ cancellation: TransferCancellation, _ route: String) async throws {
            let bridge = URLSession.withoutCache().bridge(cancellation: cancellation)
            try await self.cancelAtRandom(rounds: 500) { try await bridge.data(for: self.server.request(route)).data }
        }

        @Test func `with a cache`() async throws {
            let bridge = URLSession(configuration: .patient).bridge
            try await self.cancelAtRandom(rounds: 1000) { try await bridge.data(for: self.server.request("now")).data }
            await until { TransferCancellation.abandonedCount == 0 }
        }

        @Test func `of downloads, in a session with a cache`() async throws {
            let bridge = URLSession(configuration: .patient).bridge
            try await self.cancelAtRandom(rounds: 1000) {
                let (file, _) = try await bridge.download(for: self.server.request("now"))
                defer { try? FileManager.default.removeItem(at: file) }
                return try Data(contentsOf: file)
            }
        }

        @Test(arguments: ["now", "redirect"])
        func `of streams`(_ route: String) async throws {
            let bridge = URLSession(configuration: .patient).bridge
            try await self.cancelAtRandom(rounds: 500) {
                var data = Data()
                for try await chunk in try await bridge.chunks(for: self.server.request(route)).chunks { data += chunk }
                return data
            }
        }

        @Test(arguments: ["now", "redirect"])
        func `of downloads with events`(_ route: String) async throws {
            let bridge = URLSession(configuration: .patient).bridge
            try await self.cancelAtRandom(rounds: 500) {
                for try await case .finished(let file, _) in bridge.downloadEvents(for: self.server.request(route)) {
                    defer { try? FileManager.default.removeItem(at: file) }
                    return try Data(contentsOf: file)
                }
                throw CancellationError()
            }
        }

        @Test(arguments: ["now", "redirect"])
        func `of uploads with events`(_ route: String) async throws {
            let bridge = URLSession(configuration: .patient).bridge
            var request = self.server.request(route)
            request.httpMethod = "POST"
            let upload = request
            try await self.cancelAtRandom(rounds: 500) {
                for try await case .finished(let data, _) in bridge.uploadEvents(for: upload, from: Data("x".utf8)) {
                    return data
                }
                throw CancellationError()
            }
        }

        @Test func `of many at once, while they are redirected`() async throws {
            let bridge = URLSession(configuration: .patient).bridge
            for _ in 0..<StressScale.rounds(100) {
                let tasks = (0..<10).map { _ in
                    Task {
                        for try await _ in try await bridge.chunks(for: self.server.request("redirect")).chunks {}
                    }
                }
                for task in tasks {
                    for _ in 0..<Int.random(in: 0...300) { await Task.yield() }
                    task.cancel()
                }
                for task in tasks { _ = await task.result }
            }
        }

        /// Each call ends, with its answer or with `CancellationError` and nothing else.
        private func cancelAtRandom(
            rounds: Int,
            _ load: @escaping @Sendable () async throws -> Data
        ) async throws {
            var generator = SystemRandomNumberGenerator()
            for round in 0..<StressScale.rounds(rounds) {
                let before = self.server.counts
                let task = Task { try await load() }
                switch round % 3 {
                case 0: break
                case 1: await self.server.wait { $0.requests > before.requests }
                default: await self.server.wait { $0.answers + $0.hangUps > before.answers + before.hangUps }
                }
                for _ in 0..<Int.random(in: 0...30, using: &generator) { await Task.yield() }
                task.cancel()
                do {
                    #expect(try await task.value == Data("hello".utf8))
                } catch {
                    #expect(error is CancellationError)
                }
            }
        }
    }
}
