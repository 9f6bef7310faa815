// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeCombine
import Contacts4SendableHandlers
import ContactsModel
import Dispatch
import GRDB
import OpenCombineShim

/// Step 4.
struct SendableHandlers: ContactsProgram, OldCallers {
    private let api: DatabaseContacts
    private let loader: DatabaseNamesLoader
    private let book: AddressBook
    private let handler: ContactsHandler

    init(_ database: DatabasePool, _ queue: DispatchQueue) {
        self.api = DatabaseContacts(database: database, callbackQueue: queue)
        self.loader = DatabaseNamesLoader(database: database, callbackQueue: queue)
        self.book = AddressBook(api: self.api, loader: self.loader)
        self.handler = ContactsHandler(api: self.api)
    }

    func importContacts(_ contacts: [Contact]) async throws -> ImportReport {
        try await self.book.importContacts(contacts)
    }

    func exportContacts() async throws -> [UInt8] { try await self.book.exportContacts() }

    func search(_ text: String) async throws -> [Contact] { try await self.handler.search(text).firstValue() }

    func names() async throws -> [String] {
        try await NamesScreen(loader: self.loader).refresh()
    }

    func fetchContacts() async throws -> [Contact] { try await self.api.fetchContacts() }

    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        self.api.fetchContacts(completion)
    }

    func saveContacts(_ contacts: [Contact], _ completion: @escaping @Sendable (Result<SaveReport, any Error>) -> Void)
    {
        self.api.saveContacts(contacts, completion)
    }

    func loadNames(_ completion: @escaping @Sendable (Result<[String], any Error>) -> Void) {
        self.loader.load(completion: completion)
    }

    func contactsPublisher() -> AnyPublisher<[Contact], any Error> { self.api.fetchContacts() }
}
