// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import GRDB
import VCard

// What is done with a connection, once there is one. It is synchronous, and stays so in every step.
extension Contact {
    /// All contacts, sorted by name.
    ///
    /// - Throws: ``ContactsError/damagedCard(_:)``, or GRDB's `DatabaseError`.
    public static func fetchAll(_ database: Database) throws -> [Contact] {
        let rows = try Row.fetchCursor(database, sql: "SELECT id, card FROM contact ORDER BY sortKey, id")
        var contacts: [Contact] = []
        while let row = try rows.next() {
            let (id, text): (String, String) = (row["id"], row["card"])
            guard let cards = try? VCard.read(Array(text.utf8), limits: .none), cards.count == 1 else {
                throw ContactsError.damagedCard(id)
            }
            contacts.append(Contact(cards[0].card))
        }
        return contacts
    }

    /// All names, sorted.
    public static func fetchNames(_ database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "SELECT name FROM contact ORDER BY sortKey, id")
    }

    /// Looks for a contact that is to be saved.
    static let lookUp = "SELECT card FROM contact WHERE id = ?"

    /// Adds contacts, and replaces those that are there already.
    ///
    /// - Throws: GRDB's `DatabaseError`. The caller's transaction undoes the rest.
    public static func save(_ contacts: [Contact], _ database: Database) throws -> SaveReport {
        var report = SaveReport()
        // Compiled once, and not for each contact.
        let lookUp = try database.cachedStatement(sql: Self.lookUp)
        let insert = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO contact (id, name, sortKey, card) VALUES (?, ?, ?, ?)"
        )
        for contact in contacts {
            let text = String(decoding: VCard.write([contact.card]), as: UTF8.self)
            let stored = try String.fetchOne(lookUp, arguments: [contact.id])
            // By bytes: for Swift, an accent in one character equals the same in two.
            if let stored, stored.utf8.elementsEqual(text.utf8) {
                report.unchanged += 1
                continue
            }
            try insert.execute(arguments: [contact.id, contact.name, SortKey.of(contact.name), text])
            if stored == nil { report.added += 1 } else { report.updated += 1 }
        }
        return report
    }
}
