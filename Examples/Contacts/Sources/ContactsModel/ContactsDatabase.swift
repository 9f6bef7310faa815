// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import GRDB

/// The file in which contacts are kept.
public enum ContactsDatabase {
    /// Marks the file as ours: "Cont".
    private static let applicationID: Int32 = 0x436F_6E74

    /// Opens the database, and makes it if there is none.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - configuration: How connections are made.
    /// - Returns: A pool: one connection writes, and others read at the same time.
    /// - Throws: ``ContactsError`` if the file is someone else's, GRDB's `DatabaseError` if it cannot be used.
    public static func open(_ path: String, configuration: Configuration = Self.configuration) throws -> DatabasePool {
        // Looked at before the pool, which would turn a file that is not ours to the write-ahead log.
        let file = try DatabaseQueue(path: path, configuration: configuration)
        try file.read { try Self.checkOwner(of: $0) }
        try file.close()
        let pool = try DatabasePool(path: path, configuration: configuration)
        // To look needs no lock: another program may be writing.
        if try !pool.read(Self.migrator.hasCompletedMigrations) { try Self.migrator.migrate(pool) }
        return pool
    }

    /// The usual connections: they wait some seconds for other programs.
    public static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        return configuration
    }

    /// The usual connections, which also tell how far saving is.
    ///
    /// - Parameter onSave: Called for each contact that is about to be saved, on the queue of the connection.
    /// - Returns: The configuration.
    public static func configuration(onSave: @escaping @Sendable () -> Void) -> Configuration {
        var configuration = Self.configuration
        configuration.prepareDatabase { connection in
            connection.trace { event in
                if case .statement(let statement) = event, statement.sql == Contact.lookUp { onSave() }
            }
        }
        return configuration
    }

    private static func checkOwner(of database: Database) throws {
        let id = try Int32.fetchOne(database, sql: "PRAGMA application_id")
        if id == Self.applicationID {
            if try Self.migrator.hasBeenSuperseded(database) { throw ContactsError.newerDatabase }
        } else {
            let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            guard tables == 0, id == 0 else { throw ContactsError.foreignDatabase }
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("contacts") { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(Self.applicationID);
                    CREATE TABLE contact (
                        id TEXT NOT NULL PRIMARY KEY,
                        name TEXT NOT NULL,
                        sortKey TEXT NOT NULL,
                        card TEXT NOT NULL
                    );
                    CREATE INDEX contactSortKey ON contact (sortKey, id);
                    """
            )
        }
        return migrator
    }
}
