// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ContactsModel
import Foundation
import GRDB
import SystemPackage
import VCard

/// What went wrong, with what, and what to do.
struct Failure: Error, CustomStringConvertible {
    /// The file.
    var subject: String
    var reason: String

    var description: String { "\(self.subject): \(self.reason)" }

    init(subject: String, reason: String) {
        self.subject = subject
        self.reason = reason
    }

    init(subject: String, _ error: any Error) {
        self.init(subject: subject, reason: Self.reason(error))
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as VCardError: error.description
        case let error as ContactsError: error.description
        case let error as DatabaseError: Self.reason(error)
        case let error as Errno: "\(error)."
        default:
            // The system's own words, if Foundation has them.
            ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError).localizedDescription
        }
    }

    private static func reason(_ error: DatabaseError) -> String {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: "Another program is using it. Try again when that program has ended."
        case .SQLITE_NOTADB: "It is not an address book. Name another file."
        case .SQLITE_CORRUPT: "It is damaged. Use an undamaged copy, or import into a new file."
        case .SQLITE_CANTOPEN: "It cannot be opened. Check that its folder exists and is writable."
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: "It may not be written. Look at its permissions."
        case .SQLITE_FULL: "The disk is full. Free some space, and try again."
        default: error.message ?? "SQLite reports \(error.resultCode.rawValue)."
        }
    }
}
