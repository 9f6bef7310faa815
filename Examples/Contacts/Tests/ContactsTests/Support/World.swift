// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ContactsModel
import ContactsSteps
import Dispatch
import Foundation
import GRDB
import VCard

/// A step with a database of its own, in a folder that goes with it.
final class World: Sendable {
    let step: ContactsStep
    let path: String
    let database: DatabasePool
    let queue = DispatchQueue(label: "callbacks")
    let program: any ContactsProgram
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()
    private let folder: URL

    /// Makes a database with these contacts.
    init(_ step: ContactsStep, _ contacts: [Contact] = [], gate: Gate? = nil) throws {
        self.step = step
        self.folder = FileManager.default.temporaryDirectory.appending(path: "contacts-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: false)
        self.path = self.folder.appending(path: "contacts.sqlite").path(percentEncoded: false)
        var configuration = ContactsDatabase.configuration
        // Who meets a lock hears of it at once.
        configuration.busyMode = .immediateError
        configuration.prepareDatabase { connection in
            if let gate { connection.add(function: gate.function) }
        }
        self.database = try ContactsDatabase.open(self.path, configuration: configuration)
        if !contacts.isEmpty { try self.database.write { _ = try Contact.save(contacts, $0) } }
        if gate != nil {
            try self.database.write { connection in
                // A query of contacts lasts for as long as the gate is closed.
                try connection.execute(
                    sql: """
                        ALTER TABLE contact RENAME TO stored;
                        CREATE VIEW contact AS SELECT stored.* FROM stored, (
                            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE isClosed())
                            SELECT count(*) AS count FROM n
                        ) WHERE count > 0;
                        """
                )
            }
        }
        self.program = step.program(database: self.database, callbackQueue: self.queue)
        self.queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self.queue))
    }

    deinit { try? FileManager.default.removeItem(at: self.folder) }

    /// The API for callers that have not moved.
    ///
    /// - Throws: An error in the last step, which has none.
    func oldCallers() throws -> any OldCallers {
        guard let callers = self.program as? any OldCallers else { throw NoOldCallers() }
        return callers
    }

    /// A connection of another program.
    func otherProgram() throws -> DatabaseQueue {
        var configuration = Configuration()
        // It holds a lock across calls.
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: self.path, configuration: configuration)
    }

    /// Whether this is the queue on which callers are called back.
    var isOnQueue: Bool { DispatchQueue.getSpecific(key: Self.queueKey) == ObjectIdentifier(self.queue) }

    private struct NoOldCallers: Error {}
}

extension Contact {
    /// An invented contact.
    static func test(_ name: String, uid: String? = nil, note: String? = nil) -> Contact {
        let uid = uid.map { VCard.Property("UID", text: $0) }
        let note = note.map { VCard.Property("NOTE", text: $0) }
        return Contact(VCard(properties: [uid, VCard.Property("FN", text: name), note].compactMap(\.self)))
    }
}
