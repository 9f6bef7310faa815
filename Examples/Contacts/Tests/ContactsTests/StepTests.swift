// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import ContactsModel
import ContactsSteps
import Foundation
import GRDB
import Synchronization
import Testing
import VCard

/// What every step must do.
@Suite("Every step", .timeLimit(.minutes(10)))
struct StepTests {
    private static let people = [
        Contact.test("Zoë", uid: "z"), Contact.test("ada", uid: "a"), Contact.test("Émile", uid: "e"),
        Contact.test("No UID"),
    ]

    @Test(arguments: ContactsStep.allCases) func `what is imported is exported`(_ step: ContactsStep) async throws {
        let world = try World(step)
        let file = Array(
            "BEGIN:VCARD\nVERSION:4.0\nFN:A\nitem1.X-B;C=\"d;e\":f\\,\\n\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nfn:B\nEND:VCARD"
                .utf8
        )
        let contacts = try Contact.read(file)
        let report = try await world.program.importContacts(contacts)
        #expect(report == ImportReport(saved: SaveReport(added: 2), names: ["A", "B"]))
        #expect(try await world.program.exportContacts() == Contact.write(contacts))
    }

    @Test(arguments: ContactsStep.allCases) func `sorted and found`(_ step: ContactsStep) async throws {
        let world = try World(step, Self.people)
        let sorted = ["ada", "Émile", "No UID", "Zoë"]
        #expect(try await world.program.names() == sorted)
        #expect(try await world.program.fetchContacts().map(\.name) == sorted)
        #expect(try await world.program.search("EMI").map(\.name) == ["Émile"])
        #expect(try await world.program.search("nobody").isEmpty)
    }

    @Test(arguments: ContactsStep.allCases) func `imported twice`(_ step: ContactsStep) async throws {
        let world = try World(step)
        _ = try await world.program.importContacts(Self.people)
        #expect(try await world.program.importContacts(Self.people).saved == SaveReport(unchanged: 4))
        let changed = [Contact.test("Zoë Z.", uid: "z"), Contact.test("No UID", note: "changed")]
        let report = try await world.program.importContacts(changed)
        // The one without a UID is another contact now.
        #expect(report.saved == SaveReport(added: 1, updated: 1))
        #expect(report.names == ["ada", "Émile", "No UID", "No UID", "Zoë Z."])
    }

    @Test(arguments: ContactsStep.allCases) func `all or nothing`(_ step: ContactsStep) async throws {
        let world = try World(step, [Contact.test("Old", uid: "o")])
        try await world.database.write { connection in
            try connection.execute(
                sql: """
                    CREATE TRIGGER refusal BEFORE INSERT ON contact WHEN new.name = 'Refused'
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """
            )
        }
        let error = await #expect(throws: DatabaseError.self) {
            try await world.program.importContacts([.test("Old, changed", uid: "o"), .test("New"), .test("Refused")])
        }
        #expect(error?.message == "refused")
        #expect(try await world.program.names() == ["Old"])
    }

    @Test(arguments: ContactsStep.allCases) func `database in use`(_ step: ContactsStep) async throws {
        let world = try World(step, Self.people)
        let other = try world.otherProgram()
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let error = await #expect(throws: DatabaseError.self) { try await world.program.importContacts([.test("New")]) }
        #expect(error?.resultCode == .SQLITE_BUSY)
        // Readers do not wait for a writer.
        #expect(try await world.program.names().count == 4)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await world.program.importContacts([.test("New")]).saved == SaveReport(added: 1))
    }

    @Test(arguments: ContactsStep.allCases) func `database closed`(_ step: ContactsStep) async throws {
        let world = try World(step, Self.people)
        try world.database.close()
        await #expect(throws: DatabaseError.self) { try await world.program.fetchContacts() }
        await #expect(throws: DatabaseError.self) { try await world.program.search("a") }
        await #expect(throws: DatabaseError.self) { try await world.program.names() }
        await #expect(throws: DatabaseError.self) { try await world.program.exportContacts() }
        await #expect(throws: DatabaseError.self) { try await world.program.importContacts(Self.people) }
    }

    @Test(arguments: ContactsStep.allCases) func `damaged card`(_ step: ContactsStep) async throws {
        let world = try World(step, Self.people)
        try await world.database.write { try $0.execute(sql: "UPDATE contact SET card = 'FN' WHERE id = 'uid:e'") }
        await #expect(throws: ContactsError.damagedCard("uid:e")) { try await world.program.fetchContacts() }
        await #expect(throws: ContactsError.damagedCard("uid:e")) { try await world.program.search("a") }
        // Importing it again is the remedy that the message names.
        #expect(try await world.program.importContacts(Self.people).saved == SaveReport(updated: 1, unchanged: 3))
        #expect(try await world.program.fetchContacts().count == 4)
    }

    @Test(arguments: ContactsStep.allCases) func `damaged file`(_ step: ContactsStep) async throws {
        let world = try World(step, Self.people)
        let (page, size) = try await world.database.read { connection in
            (
                try Int.fetchOne(connection, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'contact'") ?? 0,
                try Int.fetchOne(connection, sql: "PRAGMA page_size") ?? 0
            )
        }
        // In the file, not in the log beside it; and in no connection's memory.
        try await world.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try world.database.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: world.path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xAA, count: size))
        try file.close()
        let damaged = try ContactsDatabase.open(world.path)
        let program = step.program(database: damaged, callbackQueue: world.queue)
        let error = await #expect(throws: DatabaseError.self) { try await program.fetchContacts() }
        #expect(error?.resultCode == .SQLITE_CORRUPT)
        await #expect(throws: DatabaseError.self) { try await program.importContacts([.test("New")]) }
    }

    @Test(arguments: ContactsStep.allCases) func `cancelled before`(_ step: ContactsStep) async throws {
        let world = try World(step, Self.people)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await world.program.fetchContacts()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: ContactsStep.allCases) func `cancelled while the query runs`(_ step: ContactsStep) async throws {
        let gate = Gate()
        let world = try World(step, Self.people, gate: gate)
        let task = Task { try await world.program.fetchContacts() }
        try await gate.log.events(atLeast: 1)
        task.cancel()
        // The gate is closed: nothing but the cancellation can end this.
        await #expect(throws: CancellationError.self) { try await task.value }
        let looks = gate.looks
        for _ in 0..<200 {
            try await world.database.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM stored") }
        }
        if step.stopsQueries {
            #expect(gate.looks == looks, "the query goes on")
        } else {
            // That is why there is a step 5.
            #expect(gate.looks > looks)
        }
        gate.open()
        #expect(try await world.program.names().count == 4)
    }

    @Test(arguments: ContactsStep.allCases) func `ten thousand at once`(_ step: ContactsStep) async throws {
        let world = try World(step, [.test("A", uid: "a"), .test("B", uid: "b")])
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10_000 { group.addTask { try await world.program.fetchContacts().count } }
            return try await group.reduce(0, +)
        }
        #expect(count == 20_000)
    }

    /// Whenever an import is cancelled, all of it is there, or nothing.
    @Test(arguments: ContactsStep.allCases) func `cancelled imports`(_ step: ContactsStep) async throws {
        let world = try World(step)
        var imported = 0
        for round in 0..<60 {
            let batch = (0..<20).map { Contact.test("\(round).\($0)", uid: "\(round).\($0)") }
            let task = Task { try await world.program.importContacts(batch) }
            // Later in each round.
            for _ in 0..<(round % 20) { await Task.yield() }
            task.cancel()
            let result = await task.result
            let names = try await world.program.names().filter { $0.hasPrefix("\(round).") }
            #expect(names.count == 0 || names.count == 20)
            switch result {
            case .success(let report):
                #expect(report.saved == SaveReport(added: 20) && names.count == 20)
                imported += 1
            case .failure(let error):
                #expect(error is CancellationError)
            }
        }
        // Where saving cannot be stopped, it is not: but for tasks that were cancelled before they began.
        if !step.stopsQueries { #expect(imported > 0) }
    }
}
