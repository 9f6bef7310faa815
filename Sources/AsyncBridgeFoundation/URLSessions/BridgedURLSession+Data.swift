// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension BridgedURLSession {
    /// Loads the response to a request.
    ///
    /// ```swift
    /// let (data, response) = try await session.bridge.data(for: request)
    /// ```
    ///
    /// ## Passwords
    /// On Linux the call does not return when the server answers 401 with `WWW-Authenticate: Basic` and the session has
    /// no credential: Foundation waits forever, and its timeouts do not apply. Cancelling ends the call; so set your
    /// own time limit, or use ``chunks(for:fileID:line:)`` or ``download(for:to:fileID:line:)``, which return such a
    /// response like any other. See <doc:Transfers>.
    ///
    /// ## Cancellation
    /// Ends the call at once; see ``TransferCancellation``. In an already cancelled task, nothing is sent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The body and the response.
    /// - Throws: `URLError`, ``TransferError``, or `CancellationError`; `BridgeFault` if Foundation drops the transfer
    ///   without calling back. A status of 404 or 500 is not an error.
    /// - Complexity: O(*n*) in the size of the body, which is in memory as a whole.
    public nonisolated(nonsending) func data(
        for request: URLRequest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (data: Data, response: URLResponse) {
        try await self.answer("URLSession.bridge.data", fileID, line) {
            self.session.dataTask(with: request, completionHandler: $0)
        }
    }

    /// Loads the contents of a URL.
    ///
    /// ## Cancellation
    /// As ``data(for:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The body and the response.
    /// - Throws: As ``data(for:fileID:line:)``.
    /// - Complexity: O(*n*) in the size of the body, which is in memory as a whole.
    public nonisolated(nonsending) func data(
        from url: URL,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (data: Data, response: URLResponse) {
        try await self.answer("URLSession.bridge.data", fileID, line) {
            self.session.dataTask(with: url, completionHandler: $0)
        }
    }

    /// Starts a task whose completion handler gets data, and waits for it.
    ///
    /// `bridge` is the function that the user has called, for the list of pending waits.
    nonisolated(nonsending) func answer(
        _ bridge: StaticString,
        _ fileID: StaticString,
        _ line: UInt,
        _ makeTask: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) async throws -> (data: Data, response: URLResponse) {
        let transfer = Transfer()
        return try await awaitCallback(bridge, fileID: fileID, line: line) { callback in
            let task = makeTask { data, response, error in
                defer { transfer.end() }
                callback.resume(with: TransferAnswer.of(data, response, error))
            }
            let couldBeCut = self.cancellation.cuts(task, of: self.session)
            task.resume()
            return (task, couldBeCut)
        } onCancel: { task, couldBeCut in
            transfer.giveUp(task, of: self.session, self.cancellation, couldBeCut: couldBeCut)
        }
    }
}
