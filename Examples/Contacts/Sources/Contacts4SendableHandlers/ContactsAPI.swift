// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ContactsModel
package import Dispatch
package import GRDB

/// Where contacts are kept.
@preconcurrency
package protocol ContactsAPI: Sendable {
    @preconcurrency
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void)
    @preconcurrency
    func saveContacts(_ contacts: [Contact], _ completion: @escaping @Sendable (Result<SaveReport, any Error>) -> Void)

    /// Where completion handlers and subscribers are called.
    var queue: DispatchQueue { get }
}

/// Contacts in a database.
///
/// Calls back on a queue, once for each call; saves in the order of the calls.
package final class DatabaseContacts: ContactsAPI {
    private let database: DatabasePool
    package let queue: DispatchQueue

    package init(database: DatabasePool, callbackQueue queue: DispatchQueue) {
        self.database = database
        self.queue = queue
    }

    @preconcurrency
    package func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        self.database.asyncRead { database in
            let result = Result { try Contact.fetchAll(database.get()) }
            self.queue.async { completion(result) }
        }
    }

    @preconcurrency
    package func saveContacts(
        _ contacts: [Contact],
        _ completion: @escaping @Sendable (Result<SaveReport, any Error>) -> Void
    ) {
        self.database.asyncWrite { database in
            try Contact.save(contacts, database)
        } completion: { _, result in
            self.queue.async { completion(result) }
        }
    }
}
