// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension BridgedURLSession {
    /// Loads the response's body into a file, which then belongs to the caller.
    ///
    /// The file has left Foundation's hands before the call returns, so it outlives it.
    ///
    /// ```swift
    /// let (file, _) = try await session.bridge.download(for: request)
    /// defer { try? FileManager.default.removeItem(at: file) }
    /// ```
    ///
    /// ## The session
    /// On Linux the transfer runs in its own session, with the configuration of this one, but without its cache and its
    /// delegate: Foundation's download tasks leave a file behind there when they fail or are cancelled.
    ///
    /// ## Cancellation
    /// Ends the call at once; see ``TransferCancellation``. No file is left.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file goes; there must be none. A new name in the temporary folder by default.
    ///   - fileID: The caller's file, for errors and lists.
    ///   - line: The caller's line, for errors and lists.
    /// - Returns: The file and the response.
    /// - Throws: As ``data(for:fileID:line:)``; `CocoaError` if the file cannot be moved. A status of 404 or 500 is not
    ///   an error: then the file holds the body that came with it.
    /// - Complexity: O(*n*) in the size of the body; O(1) in memory.
    public nonisolated(nonsending) func download(
        for request: URLRequest,
        to destination: URL? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (file: URL, response: URLResponse) {
        try await self.file(for: request, destination, fileID, line)
    }

    /// Loads what a URL points to into a file, which is the caller's.
    ///
    /// ## Cancellation
    /// As ``download(for:to:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - destination: Where the file goes; there must be none. A new name in the temporary folder by default.
    ///   - fileID: The caller's file, for errors and lists.
    ///   - line: The caller's line, for errors and lists.
    /// - Returns: The file and the response.
    /// - Throws: As ``download(for:to:fileID:line:)``.
    /// - Complexity: O(*n*) in the size of the body; O(1) in memory.
    public nonisolated(nonsending) func download(
        from url: URL,
        to destination: URL? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (file: URL, response: URLResponse) {
        try await self.file(for: URLRequest(url: url), destination, fileID, line)
    }
}
