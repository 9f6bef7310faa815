// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import GRDB
import Testing

@testable import QuotableServer

@Suite("The database", .timeLimit(.minutes(10)))
struct StoreTests {
    /// A path that no other test has, and that is cleared away at the end.
    private func withPath(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "quotable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "quotes.sqlite").path)
    }

    @Test func `a file is made at the first start and kept`() async throws {
        try await self.withPath { path async throws in
            let first = try Store(.file(path), data: Fixture.data)
            let counts = try await first.counts()
            try await first.database.write { try $0.execute(sql: "UPDATE author SET bio = 'Kept'") }
            try first.database.close()
            let second = try Store(.file(path), data: Fixture.data)
            #expect(try await second.counts() == counts)
            #expect(try await second.author(slug: "anna-ash")?.bio == "Kept")
        }
    }

    @Test func `new data make a new database`() async throws {
        try await self.withPath { path async throws in
            let before = try Store(.file(path), data: Fixture.data)
            try before.database.close()
            let after = try Store(.file(path), data: Fixture.data(quotes: 7))
            #expect(try await after.counts() == Counts(quotes: 7, authors: 1, tags: 0))
        }
    }

    @Test func `identifiers survive a rebuild`() async throws {
        let first = try await Store(.memory).quote(id: "x")
        #expect(first == nil)
        let ids = try await Store(.memory, data: Fixture.data).identifiers()
        #expect(try await Store(.memory, data: Fixture.data).identifiers() == ids)
    }

    @Test func `another's database is left alone`() async throws {
        try await self.withPath { path async throws in
            let other = try DatabaseQueue(path: path)
            try await other.write { try $0.execute(sql: "CREATE TABLE quote(secret TEXT)") }
            try other.close()
            let before = try Data(contentsOf: URL(filePath: path))
            #expect(throws: StoreError.self) { try Store(.file(path), data: Fixture.data) }
            let after = try Data(contentsOf: URL(filePath: path))
            #expect(after == before)
        }
    }

    @Test func `a file that is no database is an error`() async throws {
        try await self.withPath { path async throws in
            try Data("This is a letter, not a database, and it is long enough to look like one.".utf8)
                .write(to: URL(filePath: path))
            #expect(throws: DatabaseError.self) { try Store(.file(path), data: Fixture.data) }
        }
    }

    @Test func `a path that is not there is an error`() async throws {
        try await self.withPath { path async throws in
            #expect(throws: DatabaseError.self) { try Store(.file("\(path)/below/it"), data: Fixture.data) }
        }
    }

    @Test func `half a file is no database`() async throws {
        try await self.withPath { path async throws in
            let broken = Data(#"{"added": "2024-01-01", "authors": [], "quotes": [{"content": "x"}]}"#.utf8)
            #expect(throws: DecodingError.self) { try Store(.file(path), data: broken) }
            let orphan = Data(
                #"{"added": "", "authors": [], "quotes": [{"content": "x", "author": "a", "work": "", "place": "", "tags": []}]}"#
                    .utf8
            )
            #expect(throws: StoreError.self) { try Store(.file(path), data: orphan) }
            // What failed left nothing behind.
            #expect(try await Store(.file(path), data: Fixture.data).counts().quotes == 5)
        }
    }
}

extension Store {
    fileprivate func identifiers() async throws -> [String] {
        try await self.database.read { try String.fetchAll($0, sql: "SELECT id FROM quote ORDER BY number") }
    }
}
