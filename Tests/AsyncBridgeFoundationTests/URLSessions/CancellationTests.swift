// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Serialised: the count of abandoned transfers is the program's.
@Suite("What abandons transfers", .serialized, .timeLimit(.minutes(10)))
enum AbandoningTests {}

extension AbandoningTests {
    @Suite("Cancelling what a URL session does")
    final class CancellationTests: Sendable {
        private let server: TestServer

        init() throws { self.server = try TestServer() }

        deinit { self.server.stop() }

        @Test func `in a cancelled task, nothing is sent`() async throws {
            let session = URLSession.withoutCache()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await session.bridge.data(for: self.server.request("now"))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            _ = try await session.bridge.data(for: self.server.request("now"))
            #expect(self.server.counts.requests == 1)
        }

        @Test(arguments: ["never", "stuck"])
        func `without a cache, the transfer is cut`(_ path: String) async throws {
            let task = Task { try await URLSession.withoutCache().bridge.data(for: self.server.request(path)) }
            await self.server.wait { $0.requests == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await self.server.wait { $0.hangUps == 1 }
        }

        @Test func `abandoned, the transfer goes on, and is counted`() async throws {
            let session = URLSession(configuration: .patient)
            let before = TransferCancellation.abandonedCount
            let bridge = session.bridge(cancellation: .abandon)
            let task = Task { try await bridge.data(for: self.server.request("late")) }
            await self.server.wait { $0.requests == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(TransferCancellation.abandonedCount > before)
            self.server.gate.open()
            await self.server.wait { $0.answers == 1 }
            await until { TransferCancellation.abandonedCount == before }
            #expect(self.server.counts.hangUps == 0)
        }

        @Test func `while it connects`() async throws {
            // Nobody accepts, so the connection is made and no answer comes.
            let listener = try Descriptor.listening()
            defer { listener.close() }
            let url = try #require(URL(string: "http://127.0.0.1:\(try listener.port())/"))
            let task = Task { try await URLSession.withoutCache().bridge.data(from: url) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }

        @Test func `an abandoned download leaves no file`() async throws {
            let place = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            let before = TransferCancellation.abandonedCount
            let bridge = URLSession(configuration: .patient).bridge(cancellation: .abandon)
            let task = Task { try await bridge.download(for: self.server.request("late"), to: place) }
            await self.server.wait { $0.requests == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            self.server.gate.open()
            await until { TransferCancellation.abandonedCount == before }
            #expect(!FileManager.default.fileExists(atPath: place.path))
        }

        @Test func `standard cuts where that is safe`() async throws {
            let before = TransferCancellation.abandonedCount
            for session in [URLSession.withoutCache(), URLSession(configuration: .patient)] {
                let requests = self.server.counts.requests
                let task = Task { try await session.bridge.data(for: self.server.request("late")) }
                await self.server.wait { $0.requests > requests }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            #if !canImport(Darwin)
            #expect(TransferCancellation.abandonedCount == before + 1)
            #endif
            self.server.gate.open()
            await until { TransferCancellation.abandonedCount == before }
        }
    }
}
