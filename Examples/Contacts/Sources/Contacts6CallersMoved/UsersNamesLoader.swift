// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import ContactsModel
package import Dispatch
package import GRDB

/// Loads the names of all contacts.
@preconcurrency
package protocol UsersNamesLoader: Sendable {
    func load() async throws -> [String]
    @available(*, deprecated, message: "Await load().")
    @preconcurrency
    func load(completion: @escaping @Sendable (Result<[String], any Error>) -> Void)
}

/// Loads names from a database.
package final class DatabaseNamesLoader: UsersNamesLoader {
    private let database: DatabasePool
    private let queue: DispatchQueue

    package init(database: DatabasePool, callbackQueue queue: DispatchQueue) {
        self.database = database
        self.queue = queue
    }

    package func load() async throws -> [String] {
        try await self.database.read { try Contact.fetchNames($0) }
    }

    @preconcurrency
    package func load(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) {
        callAsync(deliver: .through { self.queue.async(execute: $0) }) {
            try await self.load()
        } completion: {
            completion($0)
        }
    }
}
