// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport
import ContactsModel
import ContactsSteps

/// The command `contacts import`.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Adds the cards of vCard files.",
        discussion: """
            A file is imported as a whole or, if there is a mistake in it, not at all; the next file is tried then.

            A card whose UID is in the address book replaces the one that is there. A card without a UID is added, \
            unless the very same card is there already.
            """
    )

    @OptionGroup var common: CommonOptions

    @Argument(help: "vCard files, version 2.1, 3.0 or 4.0; '-' is standard input.")
    var files: [String]

    func validate() throws {
        if self.files.filter({ $0 == "-" }).count > 1 {
            throw ValidationError("Standard input, '-', can be read only once.")
        }
    }

    func run() async throws {
        try await runCommand {
            let progress = SavingProgress()
            try await self.common.withProgram(progress) { program in
                var hasFailed = false
                for file in self.files.map(InputFile.init) {
                    do {
                        try await self.importFile(file, program, progress)
                    } catch let failure as Failure {
                        complain(failure.description)
                        hasFailed = true
                    }
                }
                if hasFailed { throw ExitCode.failure }
            }
        }
    }

    private func importFile(
        _ file: InputFile,
        _ program: any ContactsProgram,
        _ progress: SavingProgress
    ) async throws {
        let report = try await self.save(file, program, progress)
        do {
            try await printLine("\(file.name): \(report.summary)")
        } catch is ClosedOutput {
            // The other files are still to be imported.
        }
    }

    private func save(
        _ file: InputFile,
        _ program: any ContactsProgram,
        _ progress: SavingProgress
    ) async throws -> SaveReport {
        defer { ProgressLine.clear() }
        ProgressLine.show("\(file.name): reading …")
        let contacts = try await file.contacts()
        progress.begin(file.name, total: contacts.count)
        do {
            return try await program.importContacts(contacts).saved
        } catch let error where !(error is CancellationError) {
            throw Failure(subject: self.common.path, error)
        }
    }
}

extension SaveReport {
    /// In words.
    var summary: String { "\(self.added) added, \(self.updated) updated, \(self.unchanged) unchanged" }
}
