// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import GRDB

extension Store {
    /// The columns of a ``Quote``.
    static let quoteColumns: SQL = """
        quote.id, quote.content, author.name AS author, author.slug AS authorSlug, quote.length, quote.work, quote.place,
        quote.dateAdded, quote.dateModified, (
            SELECT json_group_array(name) FROM (
                SELECT tag.name FROM quoteTag JOIN tag ON tag.number = quoteTag.tag
                WHERE quoteTag.quote = quote.number ORDER BY tag.name
            )
        ) AS tags
        """

    static let quoteTables: SQL = "quote JOIN author ON author.number = quote.author"

    /// A page of the quotations that pass a filter.
    func quotes(_ filter: QuoteFilter, sorting: Sorting<QuoteSortKey>, window: Window) async throws -> Page<Quote> {
        let condition = try filter.sql
        return try await self.database.read { database in
            let sql: SQL = """
                SELECT \(Self.quoteColumns) FROM \(Self.quoteTables) WHERE \(condition)
                ORDER BY \(sorting.sql), quote.number LIMIT \(window.limit) OFFSET \(window.offset)
                """
            let count: SQL = "SELECT count(*) FROM \(Self.quoteTables) WHERE \(condition)"
            return Page(
                try SQLRequest<Quote>(literal: sql).fetchAll(database),
                of: try SQLRequest<Int>(literal: count).fetchOne(database) ?? 0,
                at: window
            )
        }
    }

    /// Quotations drawn by lot, no one twice.
    func randomQuotes(_ filter: QuoteFilter, query: SearchQuery?, limit: Int) async throws -> [Quote] {
        let condition = try filter.sql
        return try await self.database.read { database in
            var found: SQL = "TRUE"
            if let query {
                guard let search = try Self.search(query, in: database) else { return [] }
                found = "quote.number IN (SELECT rowid FROM \(search.table) WHERE \(search.condition))"
            }
            let sql: SQL = """
                SELECT \(Self.quoteColumns) FROM \(Self.quoteTables) WHERE \(condition) AND \(found)
                ORDER BY random() LIMIT \(limit)
                """
            return try SQLRequest<Quote>(literal: sql).fetchAll(database)
        }
    }

    /// The quotation with an identifier.
    func quote(id: String) async throws -> Quote? {
        try await self.database.read { database in
            let sql: SQL = "SELECT \(Self.quoteColumns) FROM \(Self.quoteTables) WHERE quote.id = \(id)"
            return try SQLRequest<Quote>(literal: sql).fetchOne(database)
        }
    }
}

extension QuoteFilter {
    /// What follows `WHERE`.
    ///
    /// Lists go in as JSON: one argument, however many items.
    var sql: SQL {
        get throws {
            var conditions: [SQL] = ["TRUE"]
            if let minLength { conditions.append("quote.length >= \(minLength)") }
            if let maxLength { conditions.append("quote.length <= \(maxLength)") }
            if let authors {
                conditions.append("author.slug IN (SELECT value FROM json_each(\(try json(authors))))")
            }
            if let authorIDs {
                conditions.append("author.id IN (SELECT value FROM json_each(\(try json(authorIDs))))")
            }
            if let tags, !tags.isEmpty {
                // From the tags to the quotations, by the indices: it has one of as many groups as there are.
                conditions.append(
                    """
                    quote.number IN (
                        SELECT quoteTag.quote FROM json_each(\(try json(tags))) AS choice
                        JOIN json_each(choice.value) AS name
                        JOIN tag ON tag.slug = name.value
                        JOIN quoteTag ON quoteTag.tag = tag.number
                        GROUP BY quoteTag.quote HAVING count(DISTINCT choice.key) = \(tags.count)
                    )
                    """
                )
            }
            return conditions.joined(separator: " AND ")
        }
    }
}

private func json(_ list: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
}

extension Quote: FetchableRecord {
    init(row: Row) throws {
        let tags: String = row["tags"]
        self.init(
            id: row["id"],
            content: row["content"],
            author: row["author"],
            authorSlug: row["authorSlug"],
            length: row["length"],
            tags: try JSONDecoder().decode([String].self, from: Data(tags.utf8)),
            work: row["work"],
            place: row["place"],
            dateAdded: row["dateAdded"],
            dateModified: row["dateModified"]
        )
    }
}
