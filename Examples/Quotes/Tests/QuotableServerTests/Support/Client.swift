// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import QuotableServer

/// Asks the routes, without a network.
struct Client {
    let transport: any TestClientProtocol

    func response(_ path: String, method: HTTPRequest.Method = .get) async throws -> TestResponse {
        try await self.transport.execute(uri: path, method: method)
    }

    /// The answer to a request that must succeed.
    func get<Answer: Decodable>(
        _ path: String,
        as type: Answer.Type = Answer.self,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let response = try await self.response(path)
        #expect(response.status == .ok, "\(path)", sourceLocation: sourceLocation)
        #expect(response.headers[.contentType]?.hasPrefix("application/json") == true, sourceLocation: sourceLocation)
        return try JSONDecoder().decode(Answer.self, from: Data(response.body.readableBytesView))
    }

    func text(_ path: String) async throws -> String { String(buffer: try await self.response(path).body) }

    /// The status of an answer, or nil if it is no JSON.
    func jsonStatus(_ path: String) async throws -> Int? {
        let response = try await self.response(path)
        let body = Data(response.body.readableBytesView)
        return (try? JSONSerialization.jsonObject(with: body)) == nil ? nil : response.status.code
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
        let body = try JSONDecoder().decode(RefusalBody.self, from: Data(response.body.readableBytesView))
        #expect(body.statusCode == response.status.code)
        return body
    }
}

/// Runs a test against the routes over a database of its own.
///
/// A closure with no `try` outside `#expect` must say that it is `async throws`: the macro's expansion hides it.
func withClient(
    _ configuration: QuoteServer.Configuration = .init(requestsPerMinute: nil),
    data: Data = Fixture.data,
    _ body: @Sendable (Client) async throws -> Void
) async throws {
    let store = try Store(.memory, data: data)
    try await QuoteServer.application(configuration, store: store).test(.router) { transport in
        try await body(Client(transport: transport))
    }
}
