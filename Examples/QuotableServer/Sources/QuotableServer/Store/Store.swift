// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import GRDB

/// The database of quotations: made from the data file, and only read from then on.
struct Store: Sendable {
    let database: any DatabaseWriter

    /// Opens the database, and fills it if it is new or was made from another version of the data.
    ///
    /// - Throws: A `DatabaseError` if the file cannot be opened or is none of SQLite's, a ``StoreError`` if it is
    ///   someone else's.
    init(_ location: QuoteServer.Database, data: Data = Catalogue.embeddedFile) throws {
        var configuration = GRDB.Configuration()
        configuration.foreignKeysEnabled = true
        // Two servers may make the same file at the same time.
        configuration.busyMode = .timeout(10)
        switch location {
        case .memory:
            self.database = try DatabaseQueue(configuration: configuration)
        case .file(let path):
            // Looked at before the pool, which would turn a file that is not ours to the write-ahead log.
            try DatabaseQueue(path: path, configuration: configuration).read { try Self.checkOwner(of: $0, path: path) }
            self.database = try DatabasePool(path: path, configuration: configuration)
        }
        try self.database.write { try Self.update($0, from: data) }
        // Moves what was written from the log to the file itself, which can be copied from then on.
        try self.database.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    }

    /// The number of quotations, authors and tags.
    func counts() async throws -> Counts {
        try await self.database.read { database in
            let sql: SQL = """
                SELECT (SELECT count(*) FROM quote) AS quotes, (SELECT count(*) FROM author) AS authors,
                    (SELECT count(*) FROM tag) AS tags
                """
            return try SQLRequest<Counts>(literal: sql).fetchOne(database) ?? Counts(quotes: 0, authors: 0, tags: 0)
        }
    }
}

/// A reason why a database cannot be used.
struct StoreError: Error, CustomStringConvertible {
    var description: String
}
