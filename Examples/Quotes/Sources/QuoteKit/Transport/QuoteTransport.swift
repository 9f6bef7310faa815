// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// What carries a request to the server and brings the answer.
public protocol QuoteTransport: Sendable {
    /// Sends a request and waits for the whole answer.
    ///
    /// Cancellation: throws at once, whatever becomes of the request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The body and the head of the answer. A status that is not 200 is not an error.
    /// - Throws: The transport's own errors, each of which is taken for a lost connection; `CancellationError`.
    func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse)
}
