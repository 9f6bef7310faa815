// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if AsyncHTTPClient
public import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
public import QuoteKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport over async-http-client: a cancelled request is cut off at once, on every system.
public struct AsyncHTTPClientTransport: QuoteTransport {
    private let client: HTTPClient
    private let maximumBodySize: Int

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - client: The client, which its maker shuts down. The shared one tries to reach a server until the time is up.
    ///   - maximumBodySize: The longest answer that is taken, in bytes.
    public init(client: HTTPClient = .shared, maximumBodySize: Int = 16 << 20) {
        self.client = client
        self.maximumBodySize = maximumBodySize
    }

    /// Runs code with a transport over a client of its own, and shuts that down.
    ///
    /// ## Cancellation
    /// Is the code's business. The client is shut down all the same, without a wait: it may be in the middle of a
    /// connection that nobody answers.
    ///
    /// ## Isolation
    /// The caller's actor.
    ///
    /// - Parameters:
    ///   - configuration: The client's configuration.
    ///   - body: The code.
    /// - Returns: What the code returns.
    /// - Throws: What the code throws.
    public nonisolated(nonsending) static func withTransport<Value>(
        configuration: HTTPClient.Configuration = Self.configuration,
        _ body: nonisolated(nonsending) (AsyncHTTPClientTransport) async throws -> Value
    ) async throws -> Value {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(Self(client: client))
            try await client.shutdown()
            return value
        } catch {
            if Task.isCancelled {
                client.shutdown { _ in }
            } else {
                // The first error is the one to tell of.
                try? await client.shutdown()
            }
            throw error
        }
    }

    /// A configuration that tells of a server that cannot be reached at once: to ask again is the business of
    /// `RetryPolicy`.
    public static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(timeout: .init(connect: .seconds(10)))
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// Cancellation: throws at once, and closes the connection if the answer has begun.
    ///
    /// - Parameter request: The request. Its time-out is that of the whole exchange.
    /// - Returns: The body and the head of the answer.
    /// - Throws: The client's error; ``QuoteKit/QuoteFetchError`` for an answer that is too long; `CancellationError`.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        guard let url = request.url else { throw URLError(.badURL) }
        do {
            let answer = try await self.client.execute(
                Self.translated(request, url),
                timeout: .milliseconds(Int64(request.timeoutInterval * 1000))
            )
            let body = try await answer.body.collect(upTo: self.maximumBodySize)
            return (Data(buffer: body), try Self.head(of: answer, url))
        } catch is NIOTooManyBytesError {
            throw QuoteFetchError.decoding(path: "", reason: "it is longer than \(self.maximumBodySize) bytes.")
        } catch let error as HTTPClientError where error == .cancelled {
            throw CancellationError()
        }
    }

    private static func translated(_ request: URLRequest, _ url: URL) -> HTTPClientRequest {
        var translated = HTTPClientRequest(url: url.absoluteString)
        translated.method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        for (name, value) in request.allHTTPHeaderFields ?? [:] { translated.headers.add(name: name, value: value) }
        if let body = request.httpBody { translated.body = .bytes(ByteBuffer(data: body)) }
        return translated
    }

    private static func head(of answer: HTTPClientResponse, _ url: URL) throws -> HTTPURLResponse {
        // A header that comes twice is joined, as HTTP allows.
        let fields = Dictionary(answer.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        let head = HTTPURLResponse(
            url: url,
            statusCode: Int(answer.status.code),
            httpVersion: "HTTP/\(answer.version.major).\(answer.version.minor)",
            headerFields: fields
        )
        guard let head else { throw URLError(.badServerResponse) }
        return head
    }
}
#endif
