// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ContactsModel
import ContactsSteps
import Foundation
import GRDB
import Testing

@Suite("The database")
struct DatabaseTests {
    /// A database that something was done with before the program opens it.
    private func path(_ prepare: (DatabaseQueue) throws -> Void) throws -> String {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appending(path: "contacts-test-\(UUID().uuidString)").path(percentEncoded: false)
        let database = try DatabaseQueue(path: path)
        try prepare(database)
        try database.close()
        return path
    }

    @Test func ofAnotherProgram() throws {
        let path = try self.path { try $0.write { try $0.execute(sql: "CREATE TABLE theirs (a)") } }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: ContactsError.foreignDatabase) { try ContactsDatabase.open(path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func ofANewerVersion() throws {
        let world = try World(.callbacksRemoved)
        try world.database.write { connection in
            try connection.execute(sql: "INSERT INTO grdb_migrations VALUES ('the future')")
        }
        #expect(throws: ContactsError.newerDatabase) { try ContactsDatabase.open(world.path) }
    }

    @Test func openedTwice() throws {
        let world = try World(.callbacksRemoved, [.test("A")])
        let other = try ContactsDatabase.open(world.path)
        #expect(try other.read { try Contact.fetchNames($0) } == ["A"])
    }
}
