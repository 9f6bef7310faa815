// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Hummingbird

/// The query of a request, read as leniently as the public API read it.
struct Parameters {
    /// More names than this in one list are refused.
    static let maximumNames = 100

    private let values: [String: String]

    init(_ request: Request) {
        let pairs = (request.uri.query ?? "").split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
        // Of several with one name the first counts, as for a form that was filled in once.
        self.values = Dictionary(pairs) { first, _ in first }
    }

    /// Text as forms send it: a plus sign is a blank, and one that is meant is escaped.
    ///
    /// What is no proper escape stays.
    private static func decoded(_ text: Substring) -> String {
        let text = String(text.replacing("+", with: " "))
        return text.removingPercentEncoding ?? text
    }

    /// The text of a parameter, or nil if it is missing or blank.
    subscript(_ name: String) -> String? {
        guard let value = self.values[name] else { return nil }
        let text = value.trimming(while: \.isWhitespace)
        return text.isEmpty ? nil : String(text)
    }

    /// Whether there is such a parameter at all, be it blank.
    func has(_ name: String) -> Bool { self.values[name] != nil }

    /// A whole number, moved into the range, or nil if there is none.
    func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = self[name] else { return nil }
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        // Digits that make no Int are too many: the number is beyond any range.
        let number = Int(text) ?? (text.hasPrefix("-") ? .min : .max)
        return min(max(number, range.lowerBound), range.upperBound)
    }

    /// A list of names, as slugs, no one twice; nil if the parameter is missing.
    ///
    /// - Throws: A ``Refusal`` if there are too many: to leave some out would change what is asked for.
    func slugs(_ name: String) throws -> [String]? { try self.list(name, slug(of:)) }

    /// A list of identifiers, no one twice; nil if the parameter is missing.
    ///
    /// - Throws: As ``slugs(_:)`` does.
    func identifiers(_ name: String) throws -> [String]? { try self.list(name) { String($0) } }

    /// A list of lists of names, as slugs, no one twice; nil if the parameter is missing.
    ///
    /// - Throws: As ``slugs(_:)`` does, if all lists together have too many.
    func lists(_ name: String) throws -> [[String]]? {
        guard let text = self[name] else { return nil }
        let lists = text.split(separator: ",").map { $0.split(separator: "|").map(slug(of:)).withoutDoubles() }
        let unique = lists.withoutDoubles()
        try Self.require(unique.reduce(0) { $0 + $1.count }, name)
        return unique
    }

    private func list(_ name: String, _ transform: (Substring) -> String) throws -> [String]? {
        let names = self[name]?.split(separator: "|").map(transform).withoutDoubles()
        try Self.require(names?.count ?? 0, name)
        return names
    }

    private static func require(_ count: Int, _ name: String) throws {
        if count > Self.maximumNames { throw Refusal.tooMany(in: name, limit: Self.maximumNames) }
    }

    /// `false`, `no`, `off` and `0`, or anything else.
    func flag(_ name: String, default value: Bool) -> Bool {
        guard let text = self[name]?.lowercased() else { return value }
        return !["false", "no", "off", "0"].contains(text)
    }

    /// One of some names, whatever its case.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(_ name: String) -> Choice? {
        guard let text = self[name]?.lowercased() else { return nil }
        return Choice.allCases.first { $0.rawValue.lowercased() == text }
    }
}

extension Sequence where Element: Hashable {
    /// The elements in their order, each where it comes first.
    func withoutDoubles() -> [Element] {
        var seen: Set<Element> = []
        return self.filter { seen.insert($0).inserted }
    }
}

extension StringProtocol {
    fileprivate func trimming(while predicate: (Character) -> Bool) -> SubSequence {
        guard let first = self.firstIndex(where: { !predicate($0) }) else { return self[self.endIndex...] }
        let last = self.lastIndex { !predicate($0) } ?? first
        return self[first...last]
    }
}
