// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Why not `HummingbirdTesting`: it comes with a second HTTP client, whose TLS library takes a minute to compile.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import QuotableServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a server answers.
struct Answer: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: Data
}

/// How requests come to a server.
protocol Transport: Sendable {
    func answer(_ path: String, method: HTTPRequest.Method) async throws -> Answer
}

/// Calls the code behind the network directly.
struct DirectTransport: Transport {
    private let respond: @Sendable (Request) async throws -> Response

    init<Server: ApplicationProtocol>(_ application: Server) async throws {
        let responder = try await application.responder
        let logger = application.logger
        self.respond = { request in
            let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
            return try await responder.respond(to: request, context: Server.Responder.Context(source: source))
        }
    }

    func answer(_ path: String, method: HTTPRequest.Method) async throws -> Answer {
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
        let response = try await self.respond(Request(head: head, body: RequestBody(buffer: ByteBuffer())))
        let collected = Collected()
        try await response.body.write(collected)
        return Answer(status: response.status, headers: response.headers, body: collected.bytes)
    }

    /// Takes the body of one answer, on one task.
    private final class Collected: ResponseBodyWriter {
        private(set) var bytes = Data()

        func write(_ buffer: ByteBuffer) async throws { self.bytes += Data(buffer.readableBytesView) }

        func finish(_ trailer: HTTPFields?) async throws {}
    }
}

/// Goes over the network.
struct NetworkTransport: Transport {
    let address: QuoteServer.Address

    func answer(_ path: String, method: HTTPRequest.Method = .get) async throws -> Answer {
        guard let url = URL(string: self.address.url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        let (body, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var headers = HTTPFields()
        for (name, value) in response.allHeaderFields {
            if let text = name as? String, let name = HTTPField.Name(text) { headers[name] = value as? String }
        }
        return Answer(status: .init(code: response.statusCode), headers: headers, body: body)
    }
}
