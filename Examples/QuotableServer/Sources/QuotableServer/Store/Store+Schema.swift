// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import GRDB

extension Store {
    /// Marks a file of SQLite as ours: "Quot".
    static let applicationID = 0x5175_6f74
    /// Goes up with each change of the tables.
    static let schemaVersion = 1

    /// Refuses a database with tables that are not ours.
    static func checkOwner(of database: GRDB.Database, path: String) throws {
        let isOurs = try Int.fetchOne(database, sql: "PRAGMA application_id") == self.applicationID
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        guard isOurs || isEmpty else {
            throw StoreError(description: "\(path) is a database of another program")
        }
    }

    /// Makes the tables anew unless they come from the same data.
    ///
    /// To be called in a transaction: all of it or nothing.
    static func update(_ database: GRDB.Database, from data: Data) throws {
        let version = Int(truncatingIfNeeded: StableHash(data).value) &+ self.schemaVersion
        let isOurs = try Int.fetchOne(database, sql: "PRAGMA application_id") == self.applicationID
        if isOurs, try Int.fetchOne(database, sql: "SELECT version FROM catalogue") == version { return }
        let catalogue = try JSONDecoder().decode(Catalogue.self, from: data)
        for table in [
            "quoteVocabulary", "quoteWords", "quoteStems", "authorNames", "quoteTag", "quote", "author", "tag",
        ] {
            try database.execute(sql: "DROP TABLE IF EXISTS \(table)")
        }
        try database.execute(sql: "DROP TABLE IF EXISTS catalogue")
        try self.makeTables(database)
        try self.insert(catalogue, into: database)
        try database.execute(literal: "INSERT INTO catalogue(version) VALUES (\(version))")
        try database.execute(sql: "PRAGMA application_id = \(self.applicationID)")
    }

    private static func makeTables(_ database: GRDB.Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE catalogue(version INTEGER NOT NULL);
                CREATE TABLE author(
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
                    description TEXT NOT NULL, bio TEXT NOT NULL, link TEXT NOT NULL,
                    dateAdded TEXT NOT NULL, dateModified TEXT NOT NULL
                );
                CREATE TABLE tag(
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, slug TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
                    dateAdded TEXT NOT NULL, dateModified TEXT NOT NULL
                );
                CREATE TABLE quote(
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, author INTEGER NOT NULL REFERENCES author,
                    content TEXT NOT NULL, length INTEGER NOT NULL, work TEXT NOT NULL, place TEXT NOT NULL,
                    dateAdded TEXT NOT NULL, dateModified TEXT NOT NULL
                );
                CREATE INDEX quoteByAuthor ON quote(author);
                CREATE TABLE quoteTag(
                    quote INTEGER NOT NULL REFERENCES quote, tag INTEGER NOT NULL REFERENCES tag,
                    PRIMARY KEY(quote, tag)
                ) WITHOUT ROWID;
                CREATE INDEX quoteTagByTag ON quoteTag(tag);
                -- For words, which are found in every grammatical form.
                CREATE VIRTUAL TABLE quoteStems USING fts5(
                    content, author, tags, tokenize = 'porter unicode61 remove_diacritics 2'
                );
                -- For phrases, which are found as they are, and for misspelt words.
                CREATE VIRTUAL TABLE quoteWords USING fts5(
                    content, author, tags, tokenize = 'unicode61 remove_diacritics 2'
                );
                CREATE VIRTUAL TABLE quoteVocabulary USING fts5vocab(quoteWords, 'row');
                CREATE VIRTUAL TABLE authorNames USING fts5(name, tokenize = 'unicode61 remove_diacritics 2');
                """
        )
    }

    private static func insert(_ catalogue: Catalogue, into database: GRDB.Database) throws {
        var authors: [String: (number: Int64, name: String)] = [:]
        for author in catalogue.authors {
            let added = author.added ?? catalogue.added
            try database.execute(
                literal: """
                    INSERT INTO author(id, slug, name, description, bio, link, dateAdded, dateModified)
                    VALUES (
                        \(StableHash.identifier("author", author.slug)), \(author.slug), \(author.name),
                        \(author.description), \(author.bio), \(author.link), \(added), \(author.modified ?? added)
                    )
                    """
            )
            let number = database.lastInsertedRowID
            authors[author.slug] = (number, author.name)
            try database.execute(literal: "INSERT INTO authorNames(rowid, name) VALUES (\(number), \(author.name))")
        }
        var tags: [String: Int64] = [:]
        for quote in catalogue.quotes {
            guard let author = authors[quote.author] else {
                throw StoreError(description: "A quotation is by '\(quote.author)', who is not in the data")
            }
            let number = try self.insert(quote, by: author.number, of: catalogue, into: database)
            for slug in quote.tags {
                let tag = try tags[slug] ?? self.insertTag(slug, added: catalogue.added, into: database)
                tags[slug] = tag
                try database.execute(literal: "INSERT INTO quoteTag(quote, tag) VALUES (\(number), \(tag))")
            }
            // Between two tags stands a word that nobody can look for, so that no phrase runs from one into the other.
            let titles = quote.tags.map(title(ofSlug:)).joined(separator: " \u{E000} ")
            for table in ["quoteStems", "quoteWords"] {
                try database.execute(
                    sql: "INSERT INTO \(table)(rowid, content, author, tags) VALUES (?, ?, ?, ?)",
                    arguments: [number, quote.content, author.name, titles]
                )
            }
        }
    }

    private static func insert(
        _ quote: Catalogue.Quote,
        by author: Int64,
        of catalogue: Catalogue,
        into database: GRDB.Database
    ) throws -> Int64 {
        let added = quote.added ?? catalogue.added
        try database.execute(
            literal: """
                INSERT INTO quote(id, author, content, length, work, place, dateAdded, dateModified)
                VALUES (
                    \(StableHash.identifier("quote", quote.author, quote.content)), \(author), \(quote.content),
                    \(quote.content.count), \(quote.work), \(quote.place), \(added), \(quote.modified ?? added)
                )
                """
        )
        return database.lastInsertedRowID
    }

    private static func insertTag(_ slug: String, added: String, into database: GRDB.Database) throws -> Int64 {
        try database.execute(
            literal: """
                INSERT INTO tag(id, slug, name, dateAdded, dateModified)
                VALUES (\(StableHash.identifier("tag", slug)), \(slug), \(title(ofSlug: slug)), \(added), \(added))
                """
        )
        return database.lastInsertedRowID
    }
}
