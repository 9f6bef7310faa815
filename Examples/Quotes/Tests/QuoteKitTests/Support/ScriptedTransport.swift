// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Foundation
import QuoteKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport without a network, which remembers what it was asked.
struct ScriptedTransport: QuoteTransport {
    /// An answer.
    struct Reply: Sendable {
        var status = 200
        var headers: [String: String] = [:]
        var body = ""
    }

    /// Gets the address of each request, without scheme and host.
    let log = EventLog()
    private let reply: @Sendable (_ request: URLRequest, _ number: Int) async throws -> Reply

    /// Answers by a function of the request and its number, from one.
    init(_ reply: @escaping @Sendable (_ request: URLRequest, _ number: Int) async throws -> Reply) {
        self.reply = reply
    }

    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let url = try #require(request.url)
        self.log.record(url.query().map { "\(url.path())?\($0)" } ?? url.path())
        let reply = try await self.reply(request, self.log.events.count)
        let response = HTTPURLResponse(
            url: url,
            statusCode: reply.status,
            httpVersion: nil,
            headerFields: reply.headers
        )
        return (Data(reply.body.utf8), try #require(response))
    }
}
