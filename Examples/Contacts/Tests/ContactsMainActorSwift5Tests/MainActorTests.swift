// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Contacts4SendableHandlers
import ContactsModel
import Dispatch
import Foundation
import GRDB
import Testing
import VCard

/// What step 4 promises to callers on the main actor: they compile, with a warning at most, and do what they did.
///
/// These files are compiled twice, in Swift 5 mode and in Swift 6 mode.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct `Callers on the main actor` {
    @Test func `compile and are served on it`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "contacts-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try ContactsDatabase.open(folder.appending(path: "db.sqlite").path(percentEncoded: false))
        let anna = Contact(VCard(properties: [VCard.Property("FN", text: "Anna")]))
        _ = try await database.write { try Contact.save([anna], $0) }

        let answers = try await withCallback(of: [String].self) { callback in
            var screen: ContactsScreen?
            screen = ContactsScreen(
                api: DatabaseContacts(database: database, callbackQueue: .main),
                loader: DatabaseNamesLoader(database: database, callbackQueue: .main)
            ) {
                callback.resume(returning: screen?.answers ?? [])
            }
            screen?.callAll()
        }
        #expect(
            answers.sorted() == [
                "contacts, protocol: 1", "contacts: 1", "export: 1", "import: 1", "names, protocol: 1", "names: 1",
                "saved, protocol: 0", "saved: 0",
            ]
        )
    }
}
