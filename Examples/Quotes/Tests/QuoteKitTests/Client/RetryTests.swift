// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Foundation
import Testing

@testable import QuoteKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A client that asks again", .timeLimit(.minutes(10)))
struct RetryTests {
    private let clock = TestClock()

    /// A client with pauses of 1, 2 and 4 seconds.
    private func client(_ transport: ScriptedTransport, now: Date = Date(timeIntervalSince1970: 0)) -> QuoteClient {
        QuoteClient(
            transport: transport,
            retryPolicy: RetryPolicy(maximumAttempts: 4, initialDelay: .seconds(1), maximumDelay: .seconds(30)),
            clock: self.clock,
            now: { now },
            chance: { 0 }
        )
    }

    /// Lets one pause pass, which must last that long.
    private func pass(_ duration: Duration) async throws {
        try await self.clock.sleepers(atLeast: 1)
        self.clock.advance(by: duration - .nanoseconds(1))
        #expect(self.clock.sleeperCount == 1)
        self.clock.advance(by: .nanoseconds(1))
        #expect(self.clock.sleeperCount == 0)
    }

    @Test func `pauses grow`() async throws {
        let transport = ScriptedTransport { _, number in
            if number < 4 { throw URLError(.networkConnectionLost) }
            return .init(body: Samples.quote)
        }
        let task = Task { [client = self.client(transport)] in try await client.quote(id: "q1") }
        for seconds in [1, 2, 4] { try await self.pass(.seconds(seconds)) }
        let quote = try await task.value
        #expect(quote.id == "q1")
        #expect(transport.log.events == Array(repeating: "/quotes/q1", count: 4))
    }

    @Test func `the last error is thrown`() async throws {
        let transport = ScriptedTransport { _, number in
            if number < 4 { throw URLError(.networkConnectionLost) }
            throw URLError(.cannotConnectToHost)
        }
        let task = Task { [client = self.client(transport)] in try await client.quote(id: "q1") }
        for seconds in [1, 2, 4] { try await self.pass(.seconds(seconds)) }
        let error = await #expect(throws: QuoteFetchError.self) { try await task.value }
        guard case .connection(let reason as URLError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.code == .cannotConnectToHost)
        #expect(transport.log.events.count == 4)
    }

    @Test(arguments: ["12", "Thu, 01 Jan 1970 00:00:12 GMT"]) func `retry after is honoured`(_ value: String)
        async throws
    {
        let transport = ScriptedTransport { _, number in
            number == 1 ? .init(status: 429, headers: ["retry-after": value]) : .init(body: Samples.quote)
        }
        let task = Task { [client = self.client(transport)] in try await client.quote(id: "q1") }
        try await self.pass(.seconds(12))
        let quote = try await task.value
        #expect(quote.id == "q1")
    }

    @Test func `what must not be repeated is not`() async throws {
        let transport = ScriptedTransport { _, _ in throw URLError(.networkConnectionLost) }
        var request = URLRequest(url: QuotableEndpoint(.tags).url)
        request.httpMethod = "POST"
        let post = request
        await #expect(throws: QuoteFetchError.self) { try await self.client(transport).data(for: post) }
        #expect(transport.log.events.count == 1)
    }

    @Test func `a pause can be cancelled`() async throws {
        let transport = ScriptedTransport { _, _ in throw URLError(.networkConnectionLost) }
        let task = Task { [client = self.client(transport)] in try await client.quote(id: "q1") }
        try await self.clock.sleepers(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.log.events.count == 1)
    }

    @Test func `a transport's own word for cancellation is translated`() async throws {
        let transport = ScriptedTransport { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw URLError(.cancelled)
        }
        let task = Task { [client = self.client(transport)] in try await client.quote(id: "q1") }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(transport.log.events.count == 1)
    }

    @Test func `requests say what they want`() async throws {
        let transport = ScriptedTransport { request, _ in
            #expect(request.value(forHTTPHeaderField: "Accept") == "application/json")
            #expect(request.timeoutInterval == 30)
            #expect(request.httpMethod == "GET")
            return .init(body: Samples.quote)
        }
        _ = try await self.client(transport).quote(id: "q1")
        #expect(transport.log.events == ["/quotes/q1"])
    }
}
