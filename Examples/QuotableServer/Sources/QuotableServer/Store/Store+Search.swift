// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import GRDB

extension Store {
    /// Where a search looks, and for what.
    struct Search {
        var table: SQL
        var condition: SQL
    }

    /// The most words that stand for a misspelt one.
    private static let maximumSpellings = 50

    /// A page of the quotations that match, the best first.
    func searchQuotes(_ query: SearchQuery, window: Window) async throws -> Page<Quote> {
        try await self.database.read { database in
            guard let search = try Self.search(query, in: database) else { return Page([], of: 0, at: window) }
            let sql: SQL = """
                SELECT \(Self.quoteColumns) FROM \(search.table) AS found JOIN \(Self.quoteTables)
                WHERE quote.number = found.rowid AND \(search.condition)
                ORDER BY found.rank, quote.number LIMIT \(window.limit) OFFSET \(window.offset)
                """
            let count: SQL = "SELECT count(*) FROM \(search.table) WHERE \(search.condition)"
            return Page(
                try SQLRequest<Quote>(literal: sql).fetchAll(database),
                of: try SQLRequest<Int>(literal: count).fetchOne(database) ?? 0,
                at: window
            )
        }
    }

    /// The table and condition for a query, or nil if nothing can match it.
    static func search(_ query: SearchQuery, in database: GRDB.Database) throws -> Search? {
        let vocabulary =
            query.maximumEdits == 0 ? [] : try String.fetchAll(database, sql: "SELECT term FROM quoteVocabulary")
        let expression = query.expression { word in
            Self.spellings(of: word, in: vocabulary, maximumEdits: query.maximumEdits)
        }
        guard let expression else { return nil }
        return query.isPhrase
            ? Search(table: "quoteWords", condition: "quoteWords MATCH \(expression)")
            : Search(table: "quoteStems", condition: "quoteStems MATCH \(expression)")
    }

    /// A word, and those words of the texts that come nearest to it.
    private static func spellings(of word: String, in vocabulary: [String], maximumEdits: Int) -> [String] {
        let letters = Array(word.utf8)
        let near = vocabulary.compactMap { other in
            editDistance(letters, Array(other.utf8), limit: maximumEdits).map { (word: other, distance: $0) }
        }
        // Stable: equally near ones stay in the order of the alphabet.
        return [word]
            + near.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(self.maximumSpellings)
            .map(\.word).filter { $0 != word }
    }
}
