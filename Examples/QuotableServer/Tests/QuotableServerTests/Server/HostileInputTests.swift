// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@testable import QuotableServer

@Suite("Hostile input", .timeLimit(.minutes(10)))
struct HostileInputTests {
    private static let paths = [
        "/random", "/quotes", "/quotes/random", "/quotes/x", "/authors", "/authors/x", "/authors/slug/x", "/tags",
        "/search/quotes", "/search/authors", "/info/count", "/health",
    ]
    private static let names = [
        "limit", "page", "skip", "minLength", "maxLength", "tags", "author", "authorId", "authorSlug", "sortBy",
        "order",
        "sortOrder", "query", "fields", "fuzzyMaxEdits", "autocomplete", "matchThreshold", "slug", "x",
    ]
    private static let values = [
        "", "0", "-1", "1e9", "NaN", "true", "9223372036854775808", "nature", "river", "anna-ash", "content", "asc",
        "' OR 1=1 --", "\"; DROP TABLE quote; --", "') UNION SELECT sql FROM sqlite_master --", "?1", ":a", "@a", "$a",
        "\" OR \"", "NEAR(a b, 2)", "content:river", "riv*", "^river", "{content} : river", "a AND (b", "-river",
        "\"\"\"",
        "%", "%%", "_", "\\", "\u{0}", "a\u{0}b", "\u{FEFF}", "\u{1F327}\u{FE0F}", "e\u{301}", "\u{202E}", "½", "四",
        "ß", "İ",
        "[]", "{}", "[\"a\"]", "null", ",", "|", "||,,|", "a|b,c|d", "\n", "\t", " ", "\"a", "'a'", "\u{201C}a\u{201D}",
    ]
    /// Bytes that are no proper escape.
    private static let rubbish = [
        "%", "%4", "%zz", "%ff", "%c3", "%00", "&", "=", "&&", "==", "+", ";", "#", "?", "/", "..", "é", "\u{7F}",
    ]

    private static func query(using random: inout SplitMix) -> String {
        let parts = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            let name = Self.names.randomElement(using: &random) ?? ""
            let value = (0..<Int.random(in: 0...3, using: &random))
                .map { _ in Self.values.randomElement(using: &random) ?? "" }.joined()
            let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return name
            case 1: return "\(name)=\(Self.rubbish.randomElement(using: &random) ?? "")\(escaped)"
            case 2: return "\(name)[]=\(escaped)"
            case 3:
                return String(
                    (0..<12).map { _ in Character(Unicode.Scalar(UInt8.random(in: 33...126, using: &random))) }
                )
            default: return "\(name)=\(escaped)"
            }
        }
        return parts.joined(separator: "&")
    }

    /// Whether the server took the request or blames the client, in JSON.
    private static func isFine(_ status: Int?) -> Bool {
        status.map { (200..<300).contains($0) || (400..<500).contains($0) } ?? false
    }

    @Test(arguments: 1...8)
    func `every request gets an answer`(seed: UInt64) async throws {
        try await withClient { client in
            var random = SplitMix(seed: seed)
            for _ in 0..<1000 {
                let path = "\(Self.paths.randomElement(using: &random) ?? "")?\(Self.query(using: &random))"
                let answer = try await client.jsonStatus(path)
                #expect(Self.isFine(answer), "\(path)")
            }
            // Nothing of it changed the data.
            #expect(try await client.get("/info/count") == Counts(quotes: 5, authors: 4, tags: 6))
        }
    }

    @Test(arguments: HostileInputTests.values)
    func `every value in every parameter`(value: String) async throws {
        let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        try await withClient { client in
            for path in Self.paths {
                for name in Self.names {
                    let answer = try await client.jsonStatus("\(path)?\(name)=\(escaped)&query=a")
                    #expect(Self.isFine(answer), "\(path) \(name)=\(value)")
                }
            }
        }
    }

    @Test func `statements in the input are text`() async throws {
        try await withClient { client in
            let attack = "x' OR '1'='1".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            for name in ["author", "authorId", "tags"] {
                let found = try await client.quotes("/quotes?\(name)=\(attack)")
                #expect(found.isEmpty)
            }
            let authors = try await client.authors("/authors?slug=\(attack)")
            #expect(authors.isEmpty)
        }
    }
}
