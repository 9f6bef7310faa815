// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension BridgedURLSession {
    /// Loads the response's body, piece by piece as it arrives.
    ///
    /// ```swift
    /// let (chunks, _) = try await session.bridge.chunks(for: request)
    /// for try await chunk in chunks { size += chunk.count }
    /// ```
    ///
    /// ## Memory
    /// At most about 16 pieces are in memory. When the consumer is slow, the transfer is suspended on Apple's systems.
    /// On Linux Foundation cannot suspend a transfer. There the data that arrives meanwhile is kept in a temporary
    /// file, which takes disk space.
    ///
    /// ## The session
    /// The transfer runs in its own session, with the configuration of this one, but without its cache and its
    /// delegate.
    ///
    /// ## Cancellation
    /// Ends the call or the loop at once. That and leaving the loop cut the transfer, whatever ``cancellation`` says.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The pieces of the body, for one consumer, and the response, as soon as it has arrived.
    /// - Throws: As ``data(for:fileID:line:)``; so does the sequence.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func chunks(
        for request: URLRequest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (chunks: TransferChunks, response: URLResponse) {
        let stream = Stream(request, like: self.session, fileID: fileID, line: line)
        let response = try await stream.response(fileID: fileID, line: line)
        return (TransferChunks(stream.body), response)
    }

    /// Loads the response's body, byte by byte as it arrives.
    ///
    /// As ``chunks(for:fileID:line:)``, which is faster if you need not process the bytes one by one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The bytes of the body, for one consumer, and the response, as soon as it has arrived.
    /// - Throws: As ``data(for:fileID:line:)``; so does the sequence.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func bytes(
        for request: URLRequest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (bytes: TransferBytes, response: URLResponse) {
        let (chunks, response) = try await self.chunks(for: request, fileID: fileID, line: line)
        return (TransferBytes(chunks), response)
    }

    /// Loads the response's body, line by line as it arrives.
    ///
    /// As ``chunks(for:fileID:line:)``; one line must fit into memory.
    ///
    /// ```swift
    /// let (lines, _) = try await session.bridge.lines(for: request)
    /// for try await line in lines { print(line) }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The lines of the body, for one consumer, and the response, as soon as it has arrived.
    /// - Throws: As ``data(for:fileID:line:)``; so does the sequence.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func lines(
        for request: URLRequest,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (lines: TransferLines, response: URLResponse) {
        let (chunks, response) = try await self.chunks(for: request, fileID: fileID, line: line)
        return (TransferLines(chunks), response)
    }
}
