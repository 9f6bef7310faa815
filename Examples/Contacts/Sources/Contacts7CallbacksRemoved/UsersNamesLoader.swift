// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ContactsModel
package import GRDB

/// Loads the names of all contacts.
package protocol UsersNamesLoader: Sendable {
    func load() async throws -> [String]
}

/// Loads names from a database.
package final class DatabaseNamesLoader: UsersNamesLoader {
    private let database: DatabasePool

    package init(database: DatabasePool) {
        self.database = database
    }

    package func load() async throws -> [String] {
        try await self.database.read { try Contact.fetchNames($0) }
    }
}
