// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Why contacts cannot be read or saved.
public enum ContactsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is a database of another program.
    case foreignDatabase

    /// The database was made by a newer version of this program.
    case newerDatabase

    /// The card of a contact in the database makes no sense.
    case damagedCard(String)

    /// Two different cards of a file have the same UID.
    case sameUID(String, lines: [Int])

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .foreignDatabase: "It is another program's database. Name another file."
        case .newerDatabase: "It was made by a newer version of this program. Use that one."
        case .damagedCard(let id): "The card of '\(id.prefix(60))' in the database is damaged. Import it again."
        case .sameUID(let uid, let lines):
            """
            line \(lines.last ?? 0): Another card has the UID '\(uid.prefix(60))' too, in line \(lines.first ?? 0). \
            Remove one of them.
            """
        }
    }
}
