// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import QuotableServer
import QuoteKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if AsyncHTTPClient
import AsyncHTTPClient
import QuoteKitAsyncHTTPClient
#endif

/// The transports that there are.
enum Carrier: String, CaseIterable, CustomTestStringConvertible {
    case urlSession
    #if AsyncHTTPClient
    case asyncHTTPClient
    #endif

    var testDescription: String { self.rawValue }

    var transport: any QuoteTransport { self.transport(maximumBodySize: 16 << 20) }

    func transport(maximumBodySize: Int) -> any QuoteTransport {
        switch self {
        // A session of its own: what a test leaves unanswered takes no connection from another test.
        case .urlSession: URLSessionTransport(session: Self.session(), maximumBodySize: maximumBodySize)
        #if AsyncHTTPClient
        case .asyncHTTPClient: AsyncHTTPClientTransport(client: Self.httpClient, maximumBodySize: maximumBodySize)
        #endif
        }
    }

    private static func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }

    #if AsyncHTTPClient
    /// For the whole run, which ends without a shutdown.
    private static let httpClient = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: AsyncHTTPClientTransport.configuration
    )
    #endif

    /// A client that asks once.
    func client(at url: String) throws -> QuoteClient {
        QuoteClient(host: try host(url), transport: self.transport, retryPolicy: .never)
    }
}

/// Runs a test with a client of a server of its own.
func withServer<Value>(
    _ carrier: Carrier,
    configuration: QuoteServer.Configuration = .init(requestsPerMinute: nil),
    _ body: (QuoteClient) async throws -> Value
) async throws -> Value {
    try await QuoteServer.withServer(configuration: configuration) { address in
        try await body(carrier.client(at: address.url))
    }
}

func host(_ url: String) throws -> QuotableHost { QuotableHost(try #require(URL(string: url))) }
