// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

/// A server.
public struct QuotableHost: Hashable, Sendable {
    /// The part of each address that comes before the path.
    public let baseURL: URL

    /// A server of your own.
    ///
    /// - Parameter baseURL: Scheme, name, port and, if there is one, the first part of the path.
    public init(_ baseURL: URL) { self.baseURL = baseURL }

    private init(known name: String) {
        guard let url = URL(string: "https://\(name)") else { preconditionFailure("BUG: '\(name)' is no host") }
        self.init(url)
    }

    /// The public server.
    public static let production = Self(known: "api.quotable.io")
    /// The public server's rehearsal.
    public static let staging = Self(known: "staging.quotable.io")
    /// The public server's pictures.
    public static let images = Self(known: "images.quotable.dev")
}
