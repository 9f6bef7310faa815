// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// A transport over a session of Foundation.
///
/// On Linux a cancelled call ends at once, and its request runs on, unheard, until it is answered or its time is up.
/// A session there also keeps a processor busy while it waits for a server. Where that matters take
/// `AsyncHTTPClientTransport` of `QuoteKitAsyncHTTPClient`, which does neither.
public struct URLSessionTransport: QuoteTransport {
    private let session: URLSession

    /// Makes a transport.
    ///
    /// - Parameter session: The session, which its maker invalidates.
    public init(session: URLSession = .shared) { self.session = session }

    /// Sends a request and waits for the whole answer.
    ///
    /// Cancellation: throws at once. The request is taken back on Apple's systems, and runs on elsewhere.
    ///
    /// - Parameter request: The request.
    /// - Returns: The body and the head of the answer.
    /// - Throws: The session's error; `CancellationError`.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let (data, response) = try await withCallback { callback in
            let task = self.session.dataTask(with: request, completionHandler: callback.handler())
            task.resume()
            return task
        } onCancel: { task in
            #if !canImport(FoundationNetworking)
            task.cancel()
            #else
            // Why not: `cancel()` that meets the completion ends the process there (Swift 6.3).
            _ = task
            #endif
        }
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (data, response)
    }
}
