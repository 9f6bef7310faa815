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

    /// Makes a transport.
    ///
    /// - Parameter session: The session, which its maker invalidates.
    public init(session: URLSession = Self.uncached) { self.session = session }

    /// Sends a request and waits for the whole answer.
    ///
    /// Cancellation: throws at once. The transfer is cut off, except on Linux in a session with a cache, where it runs
    /// on, unheard, until it is answered or its time is up.
    ///
    /// - Parameter request: The request.
    /// - Returns: The body and the head of the answer.
    /// - Throws: The session's error; `TransferError`; `CancellationError`.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await self.session.bridge.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (data, response)
    }
}
