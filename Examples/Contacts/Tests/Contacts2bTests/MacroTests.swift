// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

@preconcurrency import Contacts2bMacros
import ContactsModel
import Dispatch
import Foundation
import GRDB
import Testing
import VCard

/// Step 2 written with macros does what the hand-written one does.
@Suite("Step 2 with macros", .timeLimit(.minutes(10)))
struct MacroTests {
    @Test func `what is saved is fetched, and named`() async throws {
        // A folder: SQLite puts files of its own beside the database.
        let folder = FileManager.default.temporaryDirectory.appending(path: "contacts-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try ContactsDatabase.open(folder.appending(path: "2b.sqlite").path(percentEncoded: false))
        let queue = DispatchQueue(label: "callbacks")
        let api: any ContactsAPI = DatabaseContacts(database: database, callbackQueue: queue)
        let loader = DatabaseNamesLoader(database: database, callbackQueue: queue)

        let contacts = [Contact(VCard(properties: [VCard.Property("FN", text: "Anna")]))]
        _ = try await api.saveContacts(contacts)
        #expect(try await api.fetchContacts() == contacts)
        #expect(try await NamesScreen(loader: loader).refresh() == ["Anna"])

        try database.close()
        await #expect(throws: DatabaseError.self) { _ = try await api.fetchContacts() }
    }
}
