// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// What someone looks for in the texts, as an expression of SQLite's full-text search.
///
/// A query in quotation marks is one phrase, to be found word for word. Any other is a set of words of which at least
/// one must be there; the more and the rarer, the better the match.
struct SearchQuery: Equatable {
    /// Where to look.
    enum Field: String, CaseIterable {
        case content
        case author
        case tags
    }

    /// A longer query is cut: each word costs a look-up, or with edits a walk through the vocabulary.
    static let maximumWords = 32

    var fields: [Field]
    var isPhrase: Bool
    /// Each is a run of letters and digits, or several with blanks between, as in `don t`.
    var words: [String]
    /// Letters that may be wrong in each word.
    var maximumEdits: Int

    init(_ query: String, fields: String? = nil, maximumEdits: Int = 0) {
        let known = (fields ?? "").split(separator: ",").compactMap { name in
            Field.allCases.first { $0.rawValue == name.trimmingCharacters(in: .whitespaces).lowercased() }
        }
        self.fields = known.isEmpty ? Field.allCases : Field.allCases.filter(known.contains)
        self.isPhrase = Self.isQuoted(query)
        self.maximumEdits = self.isPhrase ? 0 : maximumEdits
        if self.isPhrase {
            let text = Self.tokens(of: query).prefix(Self.maximumWords).joined(separator: " ")
            self.words = text.isEmpty ? [] : [text]
        } else {
            self.words = Self.words(of: query)
        }
    }

    /// Makes the expression for `MATCH`.
    ///
    /// - Parameter spellings: Gives the words that stand for a word, itself among them.
    /// - Returns: The expression, or nil if there is nothing to look for.
    func expression(spellings: (String) throws -> [String] = { [$0] }) rethrows -> String? {
        let alternatives = try self.words.flatMap { try self.maximumEdits == 0 ? [$0] : spellings($0) }
        if alternatives.isEmpty { return nil }
        // Safe: a word has only letters, digits and blanks, so that nothing in it ends the string.
        let terms = alternatives.map { "\"\($0)\"" }.joined(separator: " OR ")
        return "{\(self.fields.map(\.rawValue).joined(separator: " "))} : (\(terms))"
    }

    private static func isQuoted(_ query: String) -> Bool {
        guard query.count > 2, let first = query.first, let last = query.last else { return false }
        return [("\"", "\""), ("'", "'"), ("\u{201C}", "\u{201D}")].contains { $0 == first && $1 == last }
    }

    private static func words(of query: String) -> [String] {
        let all = query.split(whereSeparator: \.isWhitespace).map { Self.tokens(of: $0) }
            .filter { !$0.isEmpty }.withoutDoubles()
        let telling = all.filter { $0.count > 1 || !Self.stopWords.contains($0[0]) }
        // Tokens count, not what blanks separate: a word of letters and marks in turn has thousands of them.
        var left = Self.maximumWords
        return (telling.isEmpty ? all : telling).compactMap { word in
            let tokens = word.prefix(left)
            left -= tokens.count
            return tokens.isEmpty ? nil : tokens.joined(separator: " ")
        }
    }

    /// Runs of letters and digits, without case and diacritics.
    static func tokens(of text: some StringProtocol) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).lowercased()
            .unicodeScalars.split { !($0.properties.isAlphabetic || $0.properties.numericType != nil) }
            .map { String($0) }
    }

    /// Words that are in so many texts that they say nothing.
    private static let stopWords: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
        "of",
        "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will",
        "with",
    ]
}
