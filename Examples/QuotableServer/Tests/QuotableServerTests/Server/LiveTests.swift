// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import Testing

@testable import QuotableServer

@Suite("A server on a port", .timeLimit(.minutes(10)))
struct LiveTests {
    private func get(_ path: String, from address: QuoteServer.Address) async throws -> Int {
        try await NetworkTransport(address: address).answer(path).status.code
    }

    @Test func `the application answers over HTTP`() async throws {
        try await withLiveServer { address in
            let client = Client(transport: NetworkTransport(address: address))
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
            let answer = Task { try await NetworkTransport(address: address).answer("/slow?seconds=1") }
            // The server has the request; now it is told to end.
            _ = await log.wait(for: "Answered")
            return answer
        }
        let body = String(decoding: try await answer.value.body, as: UTF8.self)
        #expect(body.hasSuffix("10 of 10\n"))
    }

    @Test func `a slow answer is complete`() async throws {
        try await QuoteServer.withServer(configuration: .init(hasSlowRoute: true)) { address in
            let body = try await NetworkTransport(address: address).answer("/slow?seconds=1").body
            #expect(String(decoding: body, as: UTF8.self) == (1...10).map { "\($0) of 10\n" }.joined())
        }
    }

    @Test func `a client that leaves is noticed`() async throws {
        let log = LogRecorder()
        let configuration = QuoteServer.Configuration(hasSlowRoute: true, logger: log.logger)
        try await QuoteServer.withServer(configuration: configuration) { address in
            let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: address.host, port: address.port).get()
            try await client.writeAndFlush(ByteBuffer(string: "GET /slow?seconds=600 HTTP/1.1\r\nHost: x\r\n\r\n"))
            _ = await log.wait(for: "Answered")
            try await client.close()
            let message = try #require(await log.wait(for: "Slow answer cut off"))
            #expect(message.contains("of=6000"))
            // The server is none the worse for it.
            let status = try await self.get("/health", from: address)
            #expect(status == 200)
        }
    }
}
