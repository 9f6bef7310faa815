// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A name for which someone looks.
struct AuthorQuery: Equatable {
    /// Words that count.
    ///
    /// Initials and suffixes do not, unless there is nothing else.
    var terms: [String]
    /// How many of the terms a name must have.
    var threshold: Int
    /// Whether the beginning of a word is enough.
    var matchesPrefixes: Bool

    init(_ query: String, threshold: Int = 2, matchesPrefixes: Bool = true) {
        let all = SearchQuery.tokens(of: query).withoutDoubles()
        let telling = all.filter { $0.count > 1 && !Self.suffixes.contains($0) }
        self.terms = Array((telling.isEmpty ? all : telling).prefix(8))
        self.threshold = min(threshold, self.terms.count)
        self.matchesPrefixes = matchesPrefixes
    }

    /// For each term the expression for `MATCH`.
    var expressions: [String] {
        // Safe: a term has only letters and digits.
        self.terms.map { self.matchesPrefixes ? "\"\($0)\"*" : "\"\($0)\"" }
    }

    private static let suffixes: Set<String> = ["jr", "sr", "ii", "iii", "iv", "esq", "phd", "md"]
}
