// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport
import ContactsModel
import ContactsSteps
import Foundation
import VCard

/// The command `contacts list`.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the address book, sorted by name."
    )

    @OptionGroup var common: CommonOptions

    @Option(help: "Shows only those with this text in their name, organization, mail addresses or numbers.")
    var search: String?

    @Flag(help: "Prints JSON.")
    var json = false

    func validate() throws {
        if self.search?.isEmpty == true { throw ValidationError("--search needs a text.") }
    }

    func run() async throws {
        try await runCommand {
            let contacts = try await self.contacts()
            if self.json { return try await printBytes(Array("\(try Self.json(contacts))\n".utf8)) }
            let lines = contacts.map { "\(Printable.text(Self.line($0)))\n" }
            try await printBytes(Array(lines.joined().utf8))
        }
    }

    private func contacts() async throws -> [Contact] {
        let contacts = try await self.common.withExistingProgram { program in
            do {
                if let search { return try await program.search(search) }
                return try await program.fetchContacts()
            } catch let error where !(error is CancellationError) {
                throw Failure(subject: self.common.path, error)
            }
        }
        if let contacts { return contacts }
        complain("There are no contacts yet. Import a file: contacts import FILE")
        return []
    }

    private static func line(_ contact: Contact) -> String {
        ([contact.name] + [contact.organization].compactMap(\.self) + contact.emails + contact.phones)
            .joined(separator: "  ")
    }

    private static func json(_ contacts: [Contact]) throws -> String {
        struct Entry: Encodable {
            var name: String
            var uid: String?
            var organization: String?
            var emails: [String]
            var phones: [String]
        }
        let entries = contacts.map {
            Entry(
                name: $0.name,
                uid: $0.card.uid,
                organization: $0.organization,
                emails: $0.emails,
                phones: $0.phones
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Printable.json(String(decoding: try encoder.encode(entries), as: UTF8.self))
    }
}
