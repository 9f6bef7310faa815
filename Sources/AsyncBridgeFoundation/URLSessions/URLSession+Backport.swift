// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(Darwin)
public import Foundation

extension URLSession {
    /// Loads the contents of a URL.
    ///
    /// For programs written before iOS 15; the same as `session.bridge.data(from:)`.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The body and the response.
    /// - Throws: As ``BridgedURLSession/data(from:fileID:line:)``.
    /// - Complexity: O(*n*) in the size of the body.
    @available(iOS, introduced: 13, deprecated: 15, message: "Use the built-in API instead")
    @available(macOS, introduced: 10.15, deprecated: 12, message: "Use the built-in API instead")
    @available(tvOS, introduced: 13, deprecated: 15, message: "Use the built-in API instead")
    @available(watchOS, introduced: 6, deprecated: 8, message: "Use the built-in API instead")
    @_disfavoredOverload
    public func data(from url: URL) async throws -> (Data, URLResponse) { try await self.bridge.data(from: url) }

    /// Loads the response to a request.
    ///
    /// For programs written before iOS 15; the same as `session.bridge.data(for:)`.
    ///
    /// - Parameter request: The request.
    /// - Returns: The body and the response.
    /// - Throws: As ``BridgedURLSession/data(for:fileID:line:)``.
    /// - Complexity: O(*n*) in the size of the body.
    @available(iOS, introduced: 13, deprecated: 15, message: "Use the built-in API instead")
    @available(macOS, introduced: 10.15, deprecated: 12, message: "Use the built-in API instead")
    @available(tvOS, introduced: 13, deprecated: 15, message: "Use the built-in API instead")
    @available(watchOS, introduced: 6, deprecated: 8, message: "Use the built-in API instead")
    @_disfavoredOverload
    public func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        try await self.bridge.data(for: request)
    }
}
#endif
