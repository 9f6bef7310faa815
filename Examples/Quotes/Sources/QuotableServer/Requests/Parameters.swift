// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Hummingbird

/// The query of a request, read as leniently as the public API read it.
struct Parameters {
    private let values: [Substring: Substring]

    init(_ request: Request) {
        // Of several with one name the first counts, as for a form that was filled in once.
        self.values = Dictionary(request.uri.queryParameters.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The text of a parameter, or nil if it is missing or blank.
    subscript(_ name: String) -> String? {
        guard let value = self.values[name[...]] else { return nil }
        let text = value.trimming(while: \.isWhitespace)
        return text.isEmpty ? nil : String(text)
    }

    /// Whether there is such a parameter at all, be it blank.
    func has(_ name: String) -> Bool { self.values[name[...]] != nil }

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

    /// A list of names, as slugs; nil if the parameter is missing.
    func slugs(_ name: String) -> [String]? {
        self[name]?.split(separator: "|").map(slug(of:))
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

extension StringProtocol {
    fileprivate func trimming(while predicate: (Character) -> Bool) -> SubSequence {
        guard let first = self.firstIndex(where: { !predicate($0) }) else { return self[self.endIndex...] }
        let last = self.lastIndex { !predicate($0) } ?? first
        return self[first...last]
    }
}
