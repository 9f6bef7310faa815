// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import GRDB

extension Store {
    /// The columns of an ``Author``.
    private static let authorColumns: SQL = """
        id, name, slug, description, bio, link, dateAdded, dateModified,
        (SELECT count(*) FROM quote WHERE quote.author = author.number) AS quoteCount
        """

    /// A page of all authors, or of those with the given slugs.
    func authors(slugs: [String]?, sorting: Sorting<NameSortKey>, window: Window) async throws -> Page<Author> {
        let slugs = try slugs.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        return try await self.database.read { database in
            let condition: SQL = slugs.map { "slug IN (SELECT value FROM json_each(\($0)))" } ?? "TRUE"
            let sql: SQL = """
                SELECT \(Self.authorColumns) FROM author WHERE \(condition)
                ORDER BY \(sorting.sql), number LIMIT \(window.limit) OFFSET \(window.offset)
                """
            let count: SQL = "SELECT count(*) FROM author WHERE \(condition)"
            return Page(
                try SQLRequest<Author>(literal: sql).fetchAll(database),
                of: try SQLRequest<Int>(literal: count).fetchOne(database) ?? 0,
                at: window
            )
        }
    }

    /// The author with an identifier, with all quotations.
    func author(id: String) async throws -> Author? { try await self.author(where: "id = \(id)") }

    /// The author with a slug, with all quotations.
    func author(slug: String) async throws -> Author? { try await self.author(where: "slug = \(slug)") }

    private func author(where condition: SQL) async throws -> Author? {
        try await self.database.read { database in
            let sql: SQL = "SELECT \(Self.authorColumns) FROM author WHERE \(condition)"
            guard var author = try SQLRequest<Author>(literal: sql).fetchOne(database) else { return nil }
            let quotes: SQL = """
                SELECT \(Self.quoteColumns) FROM \(Self.quoteTables) WHERE author.id = \(author.id) ORDER BY quote.number
                """
            author.quotes = try SQLRequest<Quote>(literal: quotes).fetchAll(database)
            return author
        }
    }

    /// Authors whose names have enough of the terms: those with the most first, then the shortest name.
    func searchAuthors(_ query: AuthorQuery, window: Window) async throws -> Page<Author> {
        let expressions = query.expressions
        if expressions.isEmpty { return Page([], of: 0, at: window) }
        return try await self.database.read { database in
            let hits = expressions.map { expression -> SQL in
                "SELECT rowid FROM authorNames WHERE authorNames MATCH \(expression)"
            }
            let matches: SQL = """
                SELECT rowid AS match, count(*) AS terms FROM (\(hits.joined(separator: " UNION ALL ")))
                GROUP BY rowid HAVING count(*) >= \(query.threshold)
                """
            let sql: SQL = """
                SELECT \(Self.authorColumns) FROM author JOIN (\(matches)) ON match = author.number
                ORDER BY terms DESC, length(name), name LIMIT \(window.limit) OFFSET \(window.offset)
                """
            let count: SQL = "SELECT count(*) FROM (\(matches))"
            return Page(
                try SQLRequest<Author>(literal: sql).fetchAll(database),
                of: try SQLRequest<Int>(literal: count).fetchOne(database) ?? 0,
                at: window
            )
        }
    }

    /// All tags.
    func tags(sorting: Sorting<NameSortKey>) async throws -> [Tag] {
        try await self.database.read { database in
            let sql: SQL = """
                SELECT id, name, slug, dateAdded, dateModified,
                    (SELECT count(*) FROM quoteTag WHERE quoteTag.tag = tag.number) AS quoteCount
                FROM tag ORDER BY \(sorting.sql), number
                """
            return try SQLRequest<Tag>(literal: sql).fetchAll(database)
        }
    }
}

extension Author: FetchableRecord {
    init(row: Row) {
        self.init(
            id: row["id"],
            name: row["name"],
            slug: row["slug"],
            description: row["description"],
            bio: row["bio"],
            link: row["link"],
            quoteCount: row["quoteCount"],
            dateAdded: row["dateAdded"],
            dateModified: row["dateModified"]
        )
    }
}

extension Tag: FetchableRecord {
    init(row: Row) {
        self.init(
            id: row["id"],
            name: row["name"],
            slug: row["slug"],
            quoteCount: row["quoteCount"],
            dateAdded: row["dateAdded"],
            dateModified: row["dateModified"]
        )
    }
}
