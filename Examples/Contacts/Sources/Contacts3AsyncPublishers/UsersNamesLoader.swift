// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ContactsModel
package import Dispatch
package import GRDB

/// Loads the names of all contacts.
package protocol UsersNamesLoader {
    func load(completion: @escaping (Result<[String], any Error>) -> Void)
}

/// Loads names from a database.
///
/// Calls back on a queue.
package final class DatabaseNamesLoader: UsersNamesLoader {
    private let database: DatabasePool
    private let queue: DispatchQueue

    package init(database: DatabasePool, callbackQueue queue: DispatchQueue) {
        self.database = database
        self.queue = queue
    }

    package func load(completion: @escaping (Result<[String], any Error>) -> Void) {
        self.database.asyncRead { database in
            let result = Result { try Contact.fetchNames(database.get()) }
            self.queue.async { completion(result) }
        }
    }
}
