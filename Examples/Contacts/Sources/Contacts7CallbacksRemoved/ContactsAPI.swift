// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ContactsModel
package import GRDB

/// Where contacts are kept.
package protocol ContactsAPI: Sendable {
    func fetchContacts() async throws -> [Contact]
    func saveContacts(_ contacts: [Contact]) async throws -> SaveReport
}

/// Contacts in a database.
///
/// Cancelling the task stops the query.
package final class DatabaseContacts: ContactsAPI {
    private let database: DatabasePool

    package init(database: DatabasePool) {
        self.database = database
    }

    package func fetchContacts() async throws -> [Contact] {
        try await self.database.read { try Contact.fetchAll($0) }
    }

    package func saveContacts(_ contacts: [Contact]) async throws -> SaveReport {
        try await self.database.write { try Contact.save(contacts, $0) }
    }
}
