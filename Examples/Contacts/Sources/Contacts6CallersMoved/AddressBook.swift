// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import ContactsModel

/// A client that awaits: imports and exports.
package final class AddressBook: Sendable {
    private let api: any ContactsAPI
    private let loader: any UsersNamesLoader

    package init(api: any ContactsAPI, loader: any UsersNamesLoader) {
        self.api = api
        self.loader = loader
    }

    /// Saves contacts, all or none, and tells who is there then.
    package func importContacts(_ contacts: [Contact]) async throws -> ImportReport {
        let saved = try await self.api.saveContacts(contacts)
        return ImportReport(saved: saved, names: try await self.loader.load())
    }

    /// Writes all contacts as a file.
    package func exportContacts() async throws -> [UInt8] {
        Contact.write(try await self.api.fetchContacts())
    }
}
