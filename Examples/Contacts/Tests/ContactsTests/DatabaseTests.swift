// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ContactsModel
import ContactsSteps
import Foundation
import GRDB
import Testing
import VCard

@Suite("The database", .timeLimit(.minutes(10)))
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

    @Test func `of another program`() throws {
        let path = try self.path { try $0.write { try $0.execute(sql: "CREATE TABLE theirs (a)") } }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: ContactsError.foreignDatabase) { try ContactsDatabase.open(path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `of a newer version`() throws {
        let world = try World(.callbacksRemoved)
        try world.database.write { connection in
            try connection.execute(sql: "INSERT INTO grdb_migrations VALUES ('the future')")
        }
        #expect(throws: ContactsError.newerDatabase) { try ContactsDatabase.open(world.path) }
    }

    /// What passes the limits may be longer when it is written: lines are folded, signs escaped.
    @Test func `what was imported can be read`() throws {
        // As long as a line may be; each ^ is written as two.
        let start = "NOTE;X=\"\(String(repeating: "^a", count: 100))\":"
        let value = String(repeating: "x", count: VCard.Limits().lineBytes - start.utf8.count)
        let lines = ["BEGIN:VCARD", "VERSION:4.0", "FN:x", start + value, "END:VCARD"]
        let contacts = try Contact.read(Array(lines.joined(separator: "\n").utf8))
        let world = try World(.callbacksRemoved, contacts)
        #expect(try world.database.read { try Contact.fetchAll($0) } == contacts)
    }

    @Test func `equal texts of other bytes are others`() throws {
        func file(_ names: String...) -> [UInt8] {
            Array(names.map { "BEGIN:VCARD\nVERSION:4.0\nFN:\($0)\nEND:VCARD\n" }.joined().utf8)
        }
        #expect(try Contact.read(file("\u{E9}", "e\u{301}", "\u{E9}")).count == 2)
        #expect(throws: ContactsError.self) {
            try Contact.read(Array(file("\u{E9}\nUID:u", "e\u{301}\nUID:u")))
        }
    }

    @Test func `an empty UID is none`() throws {
        let file = ["Alice", "Bob"].map { "BEGIN:VCARD\nVERSION:4.0\nFN:\($0)\nUID:\nEND:VCARD\n" }.joined()
        #expect(try Contact.read(Array(file.utf8)).map(\.name) == ["Alice", "Bob"])
    }

    @Test func `opened while another program writes`() throws {
        let world = try World(.callbacksRemoved, [.test("A")])
        var configuration = ContactsDatabase.configuration
        configuration.busyMode = .immediateError
        try world.database.writeWithoutTransaction { connection in
            try connection.execute(sql: "BEGIN IMMEDIATE")
            let other = try ContactsDatabase.open(world.path, configuration: configuration)
            #expect(try other.read { try Contact.fetchNames($0) } == ["A"])
            try connection.execute(sql: "ROLLBACK")
        }
    }

    @Test func `opened twice`() throws {
        let world = try World(.callbacksRemoved, [.test("A")])
        let other = try ContactsDatabase.open(world.path)
        #expect(try other.read { try Contact.fetchNames($0) } == ["A"])
    }
}
