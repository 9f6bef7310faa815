// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import ArgumentParser
import AsyncBridge
import ContactsModel
public import ContactsSteps
import Dispatch
import Foundation

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file of the address book. Without it, contacts/contacts.sqlite in XDG_DATA_HOME or ~/.local/share.",
            valueName: "file"
        )
    )
    var database: String?

    @Option(help: "The step of the migration that does the work, 1 to 5. All do the same.")
    var step = ContactsStep.callbacksRemoved

    func validate() throws {
        if self.database?.isEmpty == true { throw ValidationError("--database needs the name of a file.") }
    }

    /// Opens the address book.
    ///
    /// - Parameter creating: Whether to make one if there is none.
    /// - Returns: `nil` if there is none.
    /// - Throws: ``Failure``.
    func program(creating: Bool) async throws -> (any ContactsProgram)? {
        let (name, step) = (self.path, self.step)
        let file = URL(fileURLWithPath: name)
        // In full: SQLite takes some names for addresses.
        let path = file.path(percentEncoded: false)
        do {
            return try await offPool {
                if !FileManager.default.fileExists(atPath: path) {
                    guard creating else { return nil }
                    try FileManager.default.createDirectory(
                        at: file.deletingLastPathComponent(),
                        withIntermediateDirectories: true,
                        // An address book is nobody else's business.
                        attributes: [.posixPermissions: 0o700]
                    )
                    // SQLite takes an empty file for a new database. If there can be none, it says why.
                    _ = FileManager.default.createFile(
                        atPath: path,
                        contents: nil,
                        attributes: [.posixPermissions: 0o600]
                    )
                }
                let database = try ContactsDatabase.open(path)
                return step.program(database: database, callbackQueue: DispatchQueue(label: "contacts.callbacks"))
            }
        } catch {
            throw Failure(subject: name, error)
        }
    }

    /// The file of the address book.
    var path: String {
        if let database { return database }
        let environment = ProcessInfo.processInfo.environment
        // The standard says to ignore what is not absolute.
        func folder(_ name: String) -> URL? {
            environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        }
        let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        let data = folder("XDG_DATA_HOME") ?? home.appending(path: ".local/share")
        return data.appending(path: "contacts/contacts.sqlite").path(percentEncoded: false)
    }
}

extension ContactsStep: ExpressibleByArgument {}
