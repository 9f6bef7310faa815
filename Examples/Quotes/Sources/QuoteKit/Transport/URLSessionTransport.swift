// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport over a session of Foundation.
///
/// On Linux a session keeps a processor busy while it waits for a server. Where that matters take
/// `AsyncHTTPClientTransport` of `QuoteKitAsyncHTTPClient`.
public struct URLSessionTransport: QuoteTransport {
    /// A session for answers that are new each time.
    ///
    /// Without a cache because on Linux the transfers of a session with one cannot be cut off (`TransferCancellation`).
    public static let uncached: URLSession = {
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()

    private let session: URLSession
    private let maximumBodySize: Int

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - session: The session, whose configuration counts. Each request has a session of its own like it, so that an
    ///     answer can be left in the middle; that costs a connection for each.
    ///   - maximumBodySize: The longest answer that is taken, in bytes.
    public init(session: URLSession = Self.uncached, maximumBodySize: Int = 16 << 20) {
        self.session = session
        self.maximumBodySize = maximumBodySize
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// Cancellation: throws at once, and cuts the transfer off.
    ///
    /// - Parameter request: The request.
    /// - Returns: The body and the head of the answer.
    /// - Throws: The session's error; `TransferError`; ``QuoteFetchError`` for an answer that is too long;
    ///   `CancellationError`.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (chunks, response) = try await self.session.bridge.chunks(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var data = Data()
        for try await chunk in chunks {
            guard chunk.count <= self.maximumBodySize - data.count else {
                throw QuoteFetchError.decoding(path: "", reason: "it is longer than \(self.maximumBodySize) bytes.")
            }
            data.append(chunk)
        }
        return (data, response)
    }
}
