// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import ContactsModel
import ContactsSteps
import Foundation

/// The command `contacts export`.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes all cards as a vCard file.",
        discussion: "A file that is there already is replaced, but only by a complete one."
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "The file to write; without it, or with '-', standard output.")
    var file: String?

    func run() async throws {
        try await runCommand {
            guard let program = try await self.common.program(creating: false) else {
                throw Failure(subject: self.common.path, reason: "There are no contacts yet. Import a file first.")
            }
            let bytes: [UInt8]
            do {
                bytes = try await program.exportContacts()
            } catch let error where !(error is CancellationError) {
                throw Failure(subject: self.common.path, error)
            }
            guard let file, file != "-" else { return try await printBytes(bytes) }
            try await Self.write(bytes, to: file)
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) async throws {
        do {
            try await offPool {
                var status = stat()
                // A pipe or a device cannot be replaced.
                let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
                // Not the link to the file, either.
                let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
                try Data(bytes).write(to: file, options: isSpecial ? [] : .atomic)
            }
        } catch let error where !(error is CancellationError) {
            throw Failure(subject: path, error)
        }
    }
}
