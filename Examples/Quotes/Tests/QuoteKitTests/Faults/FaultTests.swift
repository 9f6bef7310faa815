// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Foundation
import NIOCore
import NIOPosix
import QuotableServer
import QuoteKit
import Testing

#if AsyncHTTPClient
import AsyncHTTPClient
import QuoteKitAsyncHTTPClient
#endif

/// Each transport with each style.
private let ways = Carrier.allCases.flatMap { carrier in Style.allCases.map { (carrier, $0) } }

@Suite("What may go wrong", .timeLimit(.minutes(10)))
struct FaultTests {
    /// How a question fails at a server that replies so.
    private func failure(
        _ way: (Carrier, Style),
        _ reply: FaultyServer.Reply,
        _ question: (QuoteClient) -> Question<Quote?> = { .quote("q1", from: $0) }
    ) async throws -> QuoteFetchError {
        try await FaultyServer.run(reply) { _, url in
            let client = try way.0.client(at: url)
            return try #require(
                await #expect(throws: QuoteFetchError.self) { try await question(client).answer(way.1) }
            )
        }
    }

    @Test(arguments: ways) func `an unknown ID`(_ carrier: Carrier, _ style: Style) async throws {
        try await withServer(carrier) { client in
            let error = await #expect(throws: QuoteFetchError.self) {
                try await Question.quote("nobody", from: client).answer(style)
            }
            guard case .status(404, let message, nil) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(message == "The requested resource could not be found")
        }
    }

    @Test(arguments: ways) func `too many requests`(_ carrier: Carrier, _ style: Style) async throws {
        try await withServer(carrier, configuration: .init(requestsPerMinute: 1)) { client in
            _ = try await client.tags()
            let error = await #expect(throws: QuoteFetchError.self) {
                try await Question.quote("q1", from: client).answer(style)
            }
            guard case .status(429, _?, let delay?) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(delay > .zero && delay <= .seconds(60))
        }
    }

    @Test(arguments: ways) func `an error of the server`(_ carrier: Carrier, _ style: Style) async throws {
        let error = try await self.failure((carrier, style), .answer(500, body: "<h1>Oh no</h1>"))
        guard case .status(500, nil, nil) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: ways) func `no body`(_ carrier: Carrier, _ style: Style) async throws {
        let error = try await self.failure((carrier, style), .answer(200, body: ""))
        guard case .missingData = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: ways) func `no JSON`(_ carrier: Carrier, _ style: Style) async throws {
        let error = try await self.failure((carrier, style), .answer(200, body: "Tempus fugit."))
        guard case .decoding(path: "", _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: ways) func `another JSON`(_ carrier: Carrier, _ style: Style) async throws {
        let json = Samples.quote.replacingOccurrences(of: "13", with: "\"thirteen\"")
        let error = try await self.failure((carrier, style), .answer(200, body: json))
        guard case .decoding(path: "length", _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: Carrier.allCases) func `the faulty place is named`(_ carrier: Carrier) async throws {
        let json = Samples.quote.replacingOccurrences(of: "\"author\"", with: "\"writer\"")
        let page =
            #"{"count": 2, "totalCount": 2, "page": 1, "totalPages": 1, "results": [\#(Samples.quote), \#(json)]}"#
        try await FaultyServer.run(.answer(200, body: page)) { _, url in
            let client = try carrier.client(at: url)
            let error = await #expect(throws: QuoteFetchError.self) { try await client.quotes() }
            guard case .decoding(path: "results[1].author", _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(arguments: ways) func `no HTTP`(_ carrier: Carrier, _ style: Style) async throws {
        let error = try await self.failure((carrier, style), .bytes("Who is there?\r\n\r\n"))
        guard case .connection = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: ways) func `the end before the answer`(_ carrier: Carrier, _ style: Style) async throws {
        let error = try await self.failure((carrier, style), .bytes(""))
        guard case .connection = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: ways) func `the end in the middle of the answer`(_ carrier: Carrier, _ style: Style) async throws {
        let reply = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + Samples.quote
        let error = try await self.failure((carrier, style), .bytes(reply))
        guard case .connection = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(arguments: ways) func `nobody is there`(_ carrier: Carrier, _ style: Style) async throws {
        let url = try await FaultyServer.run(.nothing) { _, url in url }
        let client = try carrier.client(at: url)
        let error = await #expect(throws: QuoteFetchError.self) {
            try await Question.quote("q1", from: client).answer(style)
        }
        guard case .connection = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ways) func `a server that hangs is left at once`(_ carrier: Carrier, _ style: Style) async throws {
        try await FaultyServer.run(.nothing) { server, url in
            let client = try carrier.client(at: url)
            let task = Task { try await Question.quote("q1", from: client).answer(style) }
            try await server.log.events(atLeast: 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #if AsyncHTTPClient
            if carrier == .asyncHTTPClient {
                // The transfer is over, not only the wait for it.
                try await server.log.events(atLeast: 2)
                #expect(server.log.events == ["asked", "closed"])
            }
            #endif
        }
    }

    @Test(arguments: ways) func `a cancelled task asks nothing`(_ carrier: Carrier, _ style: Style) async throws {
        try await FaultyServer.run(.nothing) { server, url in
            let client = try carrier.client(at: url)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await Question.quote("q1", from: client).answer(style)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.log.events == [])
        }
    }

    @Test(arguments: Carrier.allCases) func `an answer has a limit`(_ carrier: Carrier) async throws {
        let length = Samples.quote.utf8.count
        let quote = FaultyServer.Reply.answer(200, body: Samples.quote)
        try await FaultyServer.run(quote) { server, url in
            var client = try carrier.client(at: url)
            client.retryPolicy = RetryPolicy(initialDelay: .zero)
            client.transport = carrier.transport(maximumBodySize: length)
            #expect(try await client.quote(id: "q1").id == "q1")
            client.transport = carrier.transport(maximumBodySize: length - 1)
            let error = await #expect(throws: QuoteFetchError.self) { try await client.quote(id: "q1") }
            #expect(error?.description.hasSuffix("it is longer than \(length - 1) bytes.") == true)
            // Nor is it asked again.
            #expect(server.requestCount == 2)
        }
    }

    #if AsyncHTTPClient
    @Test func `a cancelled program does not wait for a connection`() async throws {
        // Takes one connection, and its queue is full.
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 0)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(listener.localAddress)
        let connections = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        // Before the others, of which any may be the first.
        let taken = try await connections.connect(to: address).get()
        let waiting = (0..<3).map { _ in connections.connect(to: address) }
        let asks = EventLog()
        var configuration = AsyncHTTPClientTransport.configuration
        // So that this test fails if somebody waits for it.
        configuration.timeout.connect = .hours(1)
        let task = Task { [configuration] in
            try await AsyncHTTPClientTransport.withTransport(configuration: configuration) { transport in
                let url = try #require(URL(string: "http://127.0.0.1:\(address.port ?? 0)"))
                var client = QuoteClient(host: QuotableHost(url), transport: transport, retryPolicy: .never)
                client.timeout = 3600
                asks.record("asked")
                return try await client.quote(id: "q1")
            }
        }
        try await asks.events(atLeast: 1)
        // Most times the connection is begun then; the outcome is the same if not.
        for _ in 0..<1000 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await taken.close()
        try await listener.close()
        for channel in waiting { channel.whenSuccess { $0.close(promise: nil) } }
    }
    #endif
}
