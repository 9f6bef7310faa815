// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLSession {
    /// The value of `dataTaskFuture(for:)`, under SwiftCoroutine's name.
    public typealias DataResponse = (data: Data, response: URLResponse)

    /// Starts to load the contents of a URL, and makes a future of it.
    ///
    /// ## Cancellation
    /// As ``dataTaskFuture(for:cancellation:)-(URLRequest,_)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - cancellation: What cancelling the future does to the transfer.
    /// - Returns: The future of the body and the response.
    /// - Complexity: O(1).
    public func dataTaskFuture(
        for url: URL,
        cancellation: TransferCancellation = .standard
    ) -> CoFuture<(data: Data, response: URLResponse)> {
        self.dataTaskFuture(for: URLRequest(url: url), cancellation: cancellation)
    }

    /// Starts to load the response, and makes a future of it.
    ///
    /// ```swift
    /// let future = session.dataTaskFuture(for: request)
    /// ```
    ///
    /// The future fails with `URLError` or ``TransferError``; with `CoFutureError.promiseDropped` if Foundation drops
    /// the transfer without calling back.
    ///
    /// On Linux there is no result when the server asks for a password: see "Passwords" at
    /// ``BridgedURLSession/data(for:fileID:line:)``.
    ///
    /// ## Cancellation
    /// Cancelling the future ends it at once; see ``TransferCancellation`` for the transfer.
    ///
    /// ## Isolation
    /// Observers run on the session's delegate queue, or where the future is cancelled.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - cancellation: What cancelling the future does to the transfer.
    /// - Returns: The future of the body and the response.
    /// - Complexity: O(1).
    public func dataTaskFuture(
        for urlRequest: URLRequest,
        cancellation: TransferCancellation = .standard
    ) -> CoFuture<(data: Data, response: URLResponse)> {
        let transfer = Transfer()
        let promise = CoPromise<(data: Data, response: URLResponse)>()
        let task = self.dataTask(with: urlRequest) { data, response, error in
            transfer.end()
            promise.complete(with: TransferAnswer.of(data, response, error))
        }
        let future = promise.future
        let couldBeCut = cancellation.cuts(task, of: self)
        future.whenCancelled { transfer.giveUp(task, of: self, cancellation, couldBeCut: couldBeCut) }
        task.resume()
        return future
    }
}
