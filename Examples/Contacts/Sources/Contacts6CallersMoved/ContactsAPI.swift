// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
package import ContactsModel
package import Dispatch
package import GRDB

/// Where contacts are kept.
@preconcurrency
package protocol ContactsAPI: Sendable {
    func fetchContacts() async throws -> [Contact]
    func saveContacts(_ contacts: [Contact]) async throws -> SaveReport

    @available(*, deprecated, message: "Await fetchContacts().")
    @preconcurrency
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void)
    @available(*, deprecated, message: "Await saveContacts(_:).")
    @preconcurrency
    func saveContacts(_ contacts: [Contact], _ completion: @escaping @Sendable (Result<SaveReport, any Error>) -> Void)

    /// Where completion handlers and subscribers are called.
    var queue: DispatchQueue { get }
}

/// Contacts in a database.
///
/// Cancelling the task stops the query.
package final class DatabaseContacts: ContactsAPI {
    private let database: DatabasePool
    package let queue: DispatchQueue
    let saves = CallQueue()

    package init(database: DatabasePool, callbackQueue queue: DispatchQueue) {
        self.database = database
        self.queue = queue
    }

    package func fetchContacts() async throws -> [Contact] {
        try await self.database.read { try Contact.fetchAll($0) }
    }

    package func saveContacts(_ contacts: [Contact]) async throws -> SaveReport {
        try await self.database.write { try Contact.save(contacts, $0) }
    }
}
