// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

/// A server.
public struct QuotableHost: RawRepresentable, Hashable, Sendable {
    /// The part of each address that comes before the path.
    public let baseURL: URL

    /// A server of your own.
    ///
    /// - Parameter baseURL: Scheme, name, port and, if there is one, the first part of the path.
    public init(_ baseURL: URL) { self.baseURL = baseURL }

    /// A server that is asked over HTTPS.
    ///
    /// - Parameter rawValue: Its name, as in `api.quotable.io`. What is none fails with
    ///   ``QuoteFetchError/invalidURL`` when it is asked.
    public init(rawValue: String) {
        guard let url = URL(string: "https://\(rawValue)") else {
            // Nothing can be asked there.
            self.init(URL(fileURLWithPath: rawValue))
            return
        }
        self.init(url)
    }

    private init(known name: String) {
        guard let url = URL(string: "https://\(name)") else { preconditionFailure("BUG: '\(name)' is no host") }
        self.init(url)
    }

    /// The server's name, and its port if there is one.
    public var rawValue: String {
        let name = self.baseURL.host ?? ""
        return self.baseURL.port.map { "\(name):\($0)" } ?? name
    }

    /// Whether it can be asked: over HTTP, by a name.
    var isValid: Bool {
        ["http", "https"].contains(self.baseURL.scheme?.lowercased()) && self.baseURL.host?.isEmpty == false
    }

    /// The public server.
    public static let production = Self(known: "api.quotable.io")
    /// The public server's rehearsal.
    public static let staging = Self(known: "staging.quotable.io")
    /// The public server's pictures.
    public static let images = Self(known: "images.quotable.dev")
}
