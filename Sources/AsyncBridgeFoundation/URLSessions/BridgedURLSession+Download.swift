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
    /// Foundation no longer uses the file when the call returns, so the file stays.
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
    ///   - destination: Where the file goes; no file may exist there. Defaults to a new name in the temporary folder.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The file and the response.
    /// - Throws: As ``data(for:fileID:line:)``; `CocoaError` if the file cannot be moved. A status of 404 or 500 is not
    ///   an error: the file then holds the body of that response.
    /// - Complexity: O(*n*) in the size of the body; O(1) in memory.
    public nonisolated(nonsending) func download(
        for request: URLRequest,
        to destination: URL? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (file: URL, response: URLResponse) {
        try await self.file(for: request, destination, fileID, line)
    }

    /// Loads the contents of a URL into a file, which then belongs to the caller.
    ///
    /// ## Cancellation
    /// As ``download(for:to:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - destination: Where the file goes; no file may exist there. Defaults to a new name in the temporary folder.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
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
