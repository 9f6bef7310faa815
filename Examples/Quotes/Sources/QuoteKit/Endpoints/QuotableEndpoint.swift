// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

/// A question to the API.
///
/// ```swift
/// let endpoint = QuotableEndpoint(.quotes, queryItems: [.tags(["love", "time"], .either), .limit(5)])
/// ```
public struct QuotableEndpoint: Hashable, Sendable {
    /// What is asked for.
    public var path: QuotablePath
    /// What narrows it.
    public var queryItems: [QuotableQueryItem]
    /// Who is asked; nil is the server of the client that asks.
    public var host: QuotableHost?

    /// Describes a question.
    ///
    /// - Parameters:
    ///   - path: What is asked for.
    ///   - queryItems: What narrows it.
    ///   - host: Who is asked; nil is the server of the client that asks.
    public init(_ path: QuotablePath, queryItems: [QuotableQueryItem] = [], host: QuotableHost? = nil) {
        self.path = path
        self.queryItems = queryItems
        self.host = host
    }

    /// The address at the endpoint's host, or at the public server if it names none.
    public var url: URL { self.url(at: .production) }

    /// Gives the address.
    ///
    /// - Parameter fallback: The host, if the endpoint names none.
    /// - Returns: The address, in which nothing but the API's own signs have a meaning.
    public func url(at fallback: QuotableHost) -> URL {
        let base = (self.host ?? fallback).baseURL.absoluteString
        var address = base.hasSuffix("/") ? String(base.dropLast()) : base
        for component in self.path.components { address += "/" + Self.escaped(component) }
        let query = self.queryItems.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }
        if !query.isEmpty { address += "?" + query.joined(separator: "&") }
        guard let url = URL(string: address) else { preconditionFailure("BUG: '\(address)' is no address") }
        return url
    }

    // Why not `URLComponents`: it leaves `+` as it is, which a server reads as a space.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: ","):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                escaped += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return escaped
    }
}
