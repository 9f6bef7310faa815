// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension BridgedURLSession {
    /// Loads what a request asks for into a file, which is the caller's.
    ///
    /// The file has left Foundation's hands before the call returns, so it outlives it.
    ///
    /// ```swift
    /// let (file, _) = try await session.bridge.download(for: request)
    /// defer { try? FileManager.default.removeItem(at: file) }
    /// ```
    ///
    /// ## Cancellation
    /// Ends the call at once; see ``TransferCancellation``. No file is left.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - destination: Where the file goes; there must be none. A new name in the temporary folder if nothing is said.
    ///   - fileID: The caller's file, for errors and lists.
    ///   - line: The caller's line, for errors and lists.
    /// - Returns: The file and the response.
    /// - Throws: As ``data(for:fileID:line:)``; `CocoaError` if the file cannot be moved. A status of 404 or 500 is not an
    ///   error: then the file holds the body that came with it.
    /// - Complexity: O(*n*) in the size of the body; O(1) in memory.
    public nonisolated(nonsending) func download(
        for request: URLRequest,
        to destination: URL? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (file: URL, response: URLResponse) {
        try await self.file(destination, fileID, line) {
            self.session.downloadTask(with: request, completionHandler: $0)
        }
    }

    /// Loads what a URL points to into a file, which is the caller's.
    ///
    /// ## Cancellation
    /// As ``download(for:to:fileID:line:)``.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - destination: Where the file goes; there must be none. A new name in the temporary folder if nothing is said.
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
        try await self.file(destination, fileID, line) {
            self.session.downloadTask(with: url, completionHandler: $0)
        }
    }

    private nonisolated(nonsending) func file(
        _ destination: URL?,
        _ fileID: StaticString,
        _ line: UInt,
        _ makeTask: (@escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
    ) async throws -> (file: URL, response: URLResponse) {
        let transfer = Transfer()
        return try await withCallback(
            onUndelivered: { DownloadedFile.remove($0.file) },
            fileID: fileID,
            line: line
        ) { callback in
            let task = makeTask { file, response, error in
                defer { transfer.end() }
                let answer = TransferAnswer.of(file, response, error)
                guard callback.isWaiting else {
                    if let file { DownloadedFile.remove(file) }
                    // Refused as well, and hands nothing back.
                    callback.resume(throwing: CancellationError())
                    return
                }
                // Foundation deletes the file when this handler returns.
                callback.resume(with: answer.flatMap { DownloadedFile.keep($0, at: destination) })
            }
            task.resume()
            return task
        } onCancel: { task in
            transfer.giveUp(task, of: self.session, self.cancellation)
        }
    }
}
