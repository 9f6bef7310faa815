// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import SystemPackage

/// What is done with the file of an address book before it is opened.
enum AddressBookFile {
    enum Access {
        case read
        case write
    }

    /// A copy in a folder of its own.
    struct Copy: Sendable {
        fileprivate var folder: URL

        var path: String { self.folder.appending(path: "contacts.sqlite").path(percentEncoded: false) }

        func remove() { try? FileManager.default.removeItem(at: self.folder) }
    }

    /// What this user may do with the file.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: `Errno`, if that cannot be known: a folder on the way may not be entered, or is none.
    static func access(to path: String) throws -> Access? {
        var status = stat()
        if stat(path, &status) != 0 {
            let error = Errno(rawValue: errno)
            guard error == .noSuchFileOrDirectory else { throw error }
            return nil
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path(percentEncoded: false)
        // SQLite writes beside the file.
        return Foundation.access(path, W_OK) == 0 && Foundation.access(folder, W_OK) == 0 ? .write : .read
    }

    /// Makes an empty file, unless there is one.
    ///
    /// - Returns: The path.
    static func make(_ path: String) throws -> String {
        if try self.access(to: path) != nil { return path }
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: path).deletingLastPathComponent(),
            withIntermediateDirectories: true,
            // An address book is nobody else's business.
            attributes: [.posixPermissions: 0o700]
        )
        // SQLite takes an empty file for a new database. If there can be none, it says why.
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        return path
    }

    /// Copies the file, with what has been written and is still beside it.
    static func copy(of path: String) throws -> Copy {
        let name = "contacts-\(UUID().uuidString)"
        let copy = Copy(folder: FileManager.default.temporaryDirectory.appending(path: name))
        try FileManager.default.createDirectory(
            at: copy.folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        do {
            for suffix in ["", "-wal"] where suffix.isEmpty || FileManager.default.fileExists(atPath: path + suffix) {
                // Not the permissions: the copy is to be written.
                try Data(contentsOf: URL(fileURLWithPath: path + suffix))
                    .write(to: URL(fileURLWithPath: copy.path + suffix))
            }
        } catch {
            copy.remove()
            throw error
        }
        return copy
    }
}
