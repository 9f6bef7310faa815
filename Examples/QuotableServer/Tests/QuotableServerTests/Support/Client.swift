// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import QuotableServer

/// Asks a server.
struct Client {
    let transport: any Transport

    func response(_ path: String, method: HTTPRequest.Method = .get) async throws -> Answer {
        try await self.transport.answer(path, method: method)
    }

    /// The answer to a request that must succeed.
    func get<Body: Decodable>(
        _ path: String,
        as type: Body.Type = Body.self,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Body {
        let response = try await self.response(path)
        #expect(response.status == .ok, "\(path)", sourceLocation: sourceLocation)
        #expect(response.headers[.contentType]?.hasPrefix("application/json") == true, sourceLocation: sourceLocation)
        return try JSONDecoder().decode(Body.self, from: response.body)
    }

    func text(_ path: String) async throws -> String {
        String(decoding: try await self.response(path).body, as: UTF8.self)
    }

    /// The status of an answer, or nil if it is no JSON.
    func jsonStatus(_ path: String) async throws -> Int? {
        let response = try await self.response(path)
        return (try? JSONSerialization.jsonObject(with: response.body)) == nil ? nil : response.status.code
    }

    func status(_ path: String) async throws -> Int { try await self.response(path).status.code }

    func quotes(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
        try await self.get(path, as: Page<Quote>.self, sourceLocation: sourceLocation).results.map(\.content)
    }

    func authors(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [String] {
        try await self.get(path, as: Page<Author>.self, sourceLocation: sourceLocation).results.map(\.slug)
    }

    /// The error to a request that must fail.
    func refusal(_ path: String, method: HTTPRequest.Method = .get) async throws -> RefusalBody {
        let response = try await self.response(path, method: method)
        let body = try JSONDecoder().decode(RefusalBody.self, from: response.body)
        #expect(body.statusCode == response.status.code)
        return body
    }
}

/// Runs a test against the routes over a database of its own, without a network.
///
/// A closure with no `try` outside `#expect` must say that it is `async throws`: the macro's expansion hides it.
func withClient(
    _ configuration: QuoteServer.Configuration = .init(requestsPerMinute: nil),
    data: Data = Fixture.data,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    _ body: @Sendable (Client) async throws -> Void
) async throws {
    let store = try Store(.memory, data: data)
    let application = QuoteServer.application(configuration, store: store, now: now)
    try await body(Client(transport: try await DirectTransport(application)))
}

/// Runs a test against a server on a free port, over a database of its own.
func withLiveServer(
    moreRoutes: (Router<QuotableContext>) -> Void = { _ in },
    _ body: @Sendable (QuoteServer.Address) async throws -> Void
) async throws {
    let store = try Store(.memory, data: Fixture.data)
    let configuration = QuoteServer.Configuration()
    try await QuoteServer.withService(
        logger: configuration.logger,
        { QuoteServer.application(configuration, store: store, onStart: $0, moreRoutes: moreRoutes) },
        body
    )
}
