// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import ArgumentParser
import AsyncBridge
import ContactsModel
public import ContactsSteps
import Dispatch
import Foundation
import GRDB

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file of the address book. Without it, contacts/contacts.sqlite in XDG_DATA_HOME or ~/.local/share.",
            valueName: "file"
        )
    )
    var database: String?

    @Option(help: "The step of the migration that does the work, 1 to 7. All do the same.")
    var step = ContactsStep.callbacksRemoved

    func validate() throws {
        if self.database?.isEmpty == true { throw ValidationError("--database needs the name of a file.") }
    }

    /// Makes the address book if there is none, and uses it.
    ///
    /// - Throws: ``Failure``, and what the closure throws.
    func withProgram<Result>(
        _ progress: SavingProgress,
        _ body: (any ContactsProgram) async throws -> Result
    ) async throws -> Result {
        let configuration =
            ProgressLine.isShown
            ? ContactsDatabase.configuration(onSave: progress.advance) : ContactsDatabase.configuration
        return try await body(try await self.opened(configuration) { try AddressBookFile.make($0) })
    }

    /// Uses the address book if there is one, also one that may only be read.
    ///
    /// - Returns: `nil` if there is none.
    /// - Throws: ``Failure``, and what the closure throws.
    func withExistingProgram<Result>(
        _ body: (any ContactsProgram) async throws -> Result
    ) async throws -> Result? {
        defer { ProgressLine.clear() }
        ProgressLine.show("\(self.path): reading …")
        guard let access = try await self.trying({ try AddressBookFile.access(to: $0) }) else { return nil }
        guard access == .read else { return try await body(try await self.opened { $0 }) }
        // SQLite reads only what it may also write beside.
        let copy = try await self.trying { try AddressBookFile.copy(of: $0) }
        defer { copy.remove() }
        return try await body(try await self.opened { _ in copy.path })
    }

    private func opened(
        _ configuration: Configuration = ContactsDatabase.configuration,
        _ path: @escaping @Sendable (String) throws -> String
    ) async throws -> any ContactsProgram {
        let step = self.step
        return try await self.trying {
            step.program(
                database: try ContactsDatabase.open(try path($0), configuration: configuration),
                callbackQueue: DispatchQueue(label: "contacts.callbacks")
            )
        }
    }

    /// Works on the file, and names it if that fails.
    private func trying<Value: Sendable>(_ work: @escaping @Sendable (String) throws -> Value) async throws -> Value {
        let name = self.path
        do {
            // In full: SQLite takes some names for addresses.
            let path = URL(fileURLWithPath: name).path(percentEncoded: false)
            return try await offPool { try work(path) }
        } catch let error where !(error is CancellationError) {
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
