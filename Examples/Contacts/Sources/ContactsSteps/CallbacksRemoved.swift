// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Contacts7CallbacksRemoved
import ContactsModel
import GRDB

/// Step 7.
struct CallbacksRemoved: ContactsProgram {
    private let api: DatabaseContacts
    private let loader: DatabaseNamesLoader
    private let book: AddressBook
    private let handler: ContactsHandler

    init(_ database: DatabasePool) {
        self.api = DatabaseContacts(database: database)
        self.loader = DatabaseNamesLoader(database: database)
        self.book = AddressBook(api: self.api, loader: self.loader)
        self.handler = ContactsHandler(api: self.api)
    }

    func importContacts(_ contacts: [Contact]) async throws -> ImportReport {
        try await self.book.importContacts(contacts)
    }

    func exportContacts() async throws -> [UInt8] {
        try await self.book.exportContacts()
    }

    func search(_ text: String) async throws -> [Contact] { try await self.handler.search(text) }

    func names() async throws -> [String] {
        try await NamesScreen(loader: self.loader).refresh()
    }

    func fetchContacts() async throws -> [Contact] { try await self.api.fetchContacts() }
}
