// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
package import ContactsModel

extension ContactsAPI {
    /// The contacts.
    ///
    /// A cancelled task waits no longer; the query goes on, as there is nothing to stop it with.
    package func fetchContacts() async throws -> [Contact] {
        try await withCallback { callback in self.fetchContacts(callback.handler()) }
    }

    /// Saves contacts.
    ///
    /// Goes on waiting in a cancelled task: what is saved must be known.
    package func saveContacts(_ contacts: [Contact]) async throws -> SaveReport {
        try await withCallback(cancellation: .cooperative) { callback in
            self.saveContacts(contacts, callback.handler())
        }
    }
}
