// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import VCard

extension Contact {
    /// Reads the contacts of a file.
    ///
    /// - Parameter bytes: A vCard file, version 2.1, 3.0 or 4.0.
    /// - Returns: The contacts, in the file's order. The same card twice is one contact.
    /// - Throws: A `VCardError`, or ``ContactsError/sameUID(_:lines:)``.
    public static func read(_ bytes: [UInt8]) throws -> [Contact] {
        // By bytes: for Swift, an accent in one character equals the same in two.
        var seen: [[UInt8]: (contact: Contact, line: Int)] = [:]
        var contacts: [Contact] = []
        for located in try VCard.read(bytes) {
            let contact = Contact(located.card)
            let id = Array(contact.id.utf8)
            if let other = seen[id] {
                guard other.contact == contact else {
                    throw ContactsError.sameUID(located.card.uid ?? "", lines: [other.line, located.line])
                }
                continue
            }
            seen[id] = (contact, located.line)
            contacts.append(contact)
        }
        return contacts
    }

    /// Writes contacts as a file that other programs can import.
    public static func write(_ contacts: [Contact]) -> [UInt8] { VCard.write(contacts.map(\.card)) }
}
