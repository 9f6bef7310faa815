// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import AsyncBridgeFutures
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// On Linux `session.configuration` is the session's own object: what is written there takes effect.
extension AbandoningTests {
    @Suite("The configuration of a session is its owner's")
    final class SessionConfigurationTests: Sendable {
        enum Call: CaseIterable {
            case data, upload, future, chunks, download, downloadEvents, uploadEvents
        }

        private let server: TestServer

        init() throws { self.server = try TestServer() }

        deinit { self.server.stop() }

        @Test(arguments: Call.allCases)
        func `no call changes it`(_ call: Call) async throws {
            let session = URLSession(configuration: .patient)
            let cache = try #require(session.configuration.urlCache)
            try await Self.load(call, self.server.request("echo"), in: session)
            #expect(session.configuration.urlCache === cache)
        }

        @Test(arguments: Call.allCases)
        func `a session without a cache stays without one`(_ call: Call) async throws {
            let session = URLSession.withoutCache()
            try await Self.load(call, self.server.request("echo"), in: session)
            #expect(session.configuration.urlCache == nil)
        }

        private static func load(_ call: Call, _ request: URLRequest, in session: URLSession) async throws {
            let body = Data("hello".utf8)
            var upload = request
            upload.httpMethod = "POST"
            switch call {
            case .data: _ = try await session.bridge.data(for: request)
            case .upload: _ = try await session.bridge.upload(for: upload, from: body)
            case .future: _ = try await session.dataTaskFuture(for: request).value
            case .chunks: for try await _ in try await session.bridge.chunks(for: request).chunks {}
            case .download:
                try FileManager.default.removeItem(at: await session.bridge.download(for: request).file)
            case .downloadEvents:
                for try await case .finished(let file, _) in session.bridge.downloadEvents(for: request) {
                    try FileManager.default.removeItem(at: file)
                }
            case .uploadEvents: for try await _ in session.bridge.uploadEvents(for: upload, from: body) {}
            }
        }

        #if !canImport(Darwin)
        @Test(arguments: [false, true])
        func `what began with a cache is abandoned without it`(isFuture: Bool) async throws {
            let session = URLSession(configuration: .patient)
            let before = TransferCancellation.abandonedCount
            let request = self.server.request("late")
            let task = Task {
                if isFuture {
                    let future = session.dataTaskFuture(for: request)
                    _ = try await withTaskCancellationHandler {
                        try await future.value
                    } onCancel: {
                        future.cancel()
                    }
                } else {
                    _ = try await session.bridge.data(for: request)
                }
            }
            await self.server.wait { $0.requests == 1 }
            session.configuration.urlCache = nil
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(TransferCancellation.abandonedCount == before + 1)
            self.server.gate.open()
            await self.server.wait { $0.answers + $0.hangUps == 1 }
            await until { TransferCancellation.abandonedCount == before }
        }

        @Test func `cancelled transfers beside a stream do not end the process`() async {
            await #expect(processExitsWith: .success) {
                let server = try TestServer()
                for _ in 0..<StressScale.rounds(300) {
                    let session = URLSession(configuration: .patient)
                    let loads = (0..<6).map { _ in
                        Task { _ = try? await session.bridge.data(for: server.request("now")) }
                    }
                    let stream = Task {
                        for try await _ in try await session.bridge.chunks(for: server.request("now")).chunks {}
                    }
                    for load in loads {
                        for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                        load.cancel()
                    }
                    for load in loads { await load.value }
                    try await stream.value
                }
                server.stop()
            }
        }
        #endif
    }
}
