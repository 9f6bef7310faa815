// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension BridgedURLSession {
    /// Sends data as the body of a request, and loads the answer.
    ///
    /// ## Passwords
    /// As ``data(for:fileID:line:)``: on Linux a request for a password is never answered.
    ///
    /// ## Cancellation
    /// As ``data(for:fileID:line:)``. How much the server has received by then is not known.
    ///
    /// - Parameters:
    ///   - request: The request; its own body is ignored.
    ///   - body: The data to send.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The body of the answer, and the response.
    /// - Throws: As ``data(for:fileID:line:)``.
    /// - Complexity: O(*n*) in the sizes of both bodies.
    public nonisolated(nonsending) func upload(
        for request: URLRequest,
        from body: Data,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (data: Data, response: URLResponse) {
        try await self.answer("URLSession.bridge.upload", fileID, line) {
            self.session.uploadTask(with: request, from: body, completionHandler: $0)
        }
    }

    /// Sends a file as the body of a request, and loads the answer.
    ///
    /// ## Passwords
    /// As ``data(for:fileID:line:)``: on Linux a request for a password is never answered.
    ///
    /// ## Cancellation
    /// As ``data(for:fileID:line:)``. How much the server has received by then is not known.
    ///
    /// - Parameters:
    ///   - request: The request; its own body is ignored.
    ///   - file: The file to send.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The body of the answer, and the response.
    /// - Throws: As ``data(for:fileID:line:)``; an error if the file does not exist.
    /// - Complexity: O(*n*) in the sizes of both bodies.
    public nonisolated(nonsending) func upload(
        for request: URLRequest,
        fromFile file: URL,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> (data: Data, response: URLResponse) {
        try await self.answer("URLSession.bridge.upload", fileID, line) {
            self.session.uploadTask(with: request, fromFile: file, completionHandler: $0)
        }
    }
}
