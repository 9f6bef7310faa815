// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import Foundation
import Testing

/// The example of the guide “Migrating a codebase”: its second step is what the tool writes for its first.
@Suite struct `The second step of Contacts` {
    @Test func `has the async functions that the tool writes`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let folder = root.standardizedFileURL.appending(path: "Examples/Contacts/Sources")
        func text(_ path: String) throws -> String {
            try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        let planned = try PlannedPackage(["a.swift": text("Contacts1AsFound/ContactsAPI.swift")])
        #expect(
            planned.states == [
                "ContactsAPI.fetchContacts(_:)": "twin",
                "ContactsAPI.saveContacts(_:_:)": "twin",
                "DatabaseContacts.fetchContacts(_:)": "inherited",
                "DatabaseContacts.saveContacts(_:_:)": "inherited",
            ]
        )
        let written = try heads(#require(planned.overlay()))
        #expect(try heads(text("Contacts2AsyncBeside/ContactsAPI+Async.swift")) == written)
        #expect(written.count == 2)
    }

    /// The lines that declare functions, without access: it may stand at the extension.
    private func heads(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.contains("func"), words.contains("async") else { return nil }
            return words.drop { $0 != "func" }.joined(separator: " ")
        }
    }
}
