// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import QuotableServer

@Suite("A server on a port", .timeLimit(.minutes(2)))
struct LiveTests {
    /// One request over a connection of its own.
    private func get(_ path: String, from address: QuoteServer.Address) async throws -> Int {
        try await TestClient.withClient(host: address.host, port: address.port) { client in
            try await client.get(path).status.code
        }
    }

    @Test func `the application answers over HTTP`() async throws {
        let store = try Store(.memory, data: Fixture.data)
        try await QuoteServer.application(.init(), store: store).test(.live) { transport in
            let client = Client(transport: transport)
            let quotes = try await client.quotes("/quotes?author=anna-ash&sortBy=content")
            #expect(quotes == [river, rain])
            let counts = try await client.get("/info/count", as: Counts.self)
            #expect(counts.quotes == 5)
            let refusal = try await client.refusal("/nowhere")
            #expect(refusal.statusCode == 404)
        }
    }

    @Test func `it starts on a free port and stops`() async throws {
        let (address, status) = try await QuoteServer.withServer { address in
            (address, try await self.get("/random", from: address))
        }
        #expect(address.port > 0)
        #expect(address.url == "http://127.0.0.1:\(address.port)")
        #expect(status == 200)
        await #expect(throws: (any Error).self) { try await self.get("/random", from: address) }
    }

    @Test func `two servers have two ports`() async throws {
        try await QuoteServer.withServer { first in
            try await QuoteServer.withServer { second in
                #expect(first.port != second.port)
                let statuses = [try await self.get("/tags", from: first), try await self.get("/tags", from: second)]
                #expect(statuses == [200, 200])
            }
        }
    }

    @Test func `a port in use is an error`() async throws {
        try await QuoteServer.withServer { address -> Void in
            await #expect(throws: IOError.self) {
                try await QuoteServer.withServer(configuration: .init(port: address.port)) { _ in
                    Issue.record("Two servers on one port")
                }
            }
        }
    }

    @Test func `what the body throws is thrown`() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await QuoteServer.withServer { _ in throw Failure() }
        }
    }

    @Test func `cancellation stops the server`() async throws {
        let (addresses, continuation) = AsyncStream.makeStream(of: QuoteServer.Address.self)
        let task = Task {
            try await QuoteServer.withServer { address in
                continuation.yield(address)
                try await Task.sleep(for: .seconds(600))
            }
        }
        let address = try #require(await addresses.first { _ in true })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: (any Error).self) { try await self.get("/random", from: address) }
    }

    @Test func `the limit counts by address`() async throws {
        try await QuoteServer.withServer(configuration: .init(requestsPerMinute: 2)) { address in
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await self.get("/tags", from: address)) }
            #expect(statuses == [200, 200, 429])
        }
    }

    @Test func `a request that runs is answered before the end`() async throws {
        let log = LogRecorder()
        let configuration = QuoteServer.Configuration(hasSlowRoute: true, logger: log.logger)
        let answer = try await QuoteServer.withServer(configuration: configuration) { address in
            let answer = Task {
                try await TestClient.withClient(host: address.host, port: address.port) { client in
                    try await client.get("/slow?seconds=1")
                }
            }
            // The server has the request; now it is told to end.
            _ = await log.wait(for: "Answered")
            return answer
        }
        let response = try await answer.value
        let body = response.body.map { String(buffer: $0) }
        #expect(body?.hasSuffix("10 of 10\n") == true)
    }

    @Test func `a slow answer is complete`() async throws {
        try await QuoteServer.withServer(configuration: .init(hasSlowRoute: true)) { address in
            let body = try await TestClient.withClient(host: address.host, port: address.port) { client in
                try await client.get("/slow?seconds=1").body.map { String(buffer: $0) }
            }
            #expect(body == (1...10).map { "\($0) of 10\n" }.joined())
        }
    }

    @Test func `a client that leaves is noticed`() async throws {
        let log = LogRecorder()
        let configuration = QuoteServer.Configuration(hasSlowRoute: true, logger: log.logger)
        try await QuoteServer.withServer(configuration: configuration) { address in
            let client = TestClient(host: address.host, port: address.port)
            client.connect()
            try await client.executeAndDontWaitForResponse(.init("/slow?seconds=600", method: .get))
            _ = await log.wait(for: "Answered")
            try await client.close(mode: .all)
            let message = try #require(await log.wait(for: "Slow answer cut off"))
            #expect(message.contains("of=6000"))
            // The server is none the worse for it.
            let status = try await self.get("/health", from: address)
            #expect(status == 200)
        }
    }
}
