// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import CommandSupport
import ContactsModel
import ContactsSteps
import Foundation
import SystemPackage

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

    func validate() throws {
        if self.file?.isEmpty == true { throw ValidationError("The file needs a name.") }
    }

    func run() async throws {
        try await runCommand {
            let exported = try await self.common.withExistingProgram { program in
                do {
                    return try await program.exportContacts()
                } catch let error where !(error is CancellationError) {
                    throw Failure(subject: self.common.path, error)
                }
            }
            guard let bytes = exported else {
                throw Failure(subject: self.common.path, reason: "There are no contacts yet. Import a file first.")
            }
            guard let file, file != "-" else { return try await printBytes(bytes) }
            try await Self.write(bytes, to: file)
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) async throws {
        do {
            try await offPool {
                var (status, output) = (stat(), stat())
                let isThere = stat(path, &status) == 0
                if isThere, status.st_mode & S_IFMT == S_IFDIR { throw Errno.isDirectory }
                // `/dev/stdout`, or its file: what is in there already stays.
                if isThere, fstat(STDOUT_FILENO, &output) == 0,
                    (status.st_dev, status.st_ino) == (output.st_dev, output.st_ino)
                {
                    return try StandardOutput.write(bytes)
                }
                let file = URL(fileURLWithPath: path)
                guard isThere else {
                    // A link to a file that is not there leads to it.
                    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
                    return try Data(bytes).write(to: file, options: isLink ? [] : .atomic)
                }
                // A pipe or a device cannot be replaced.
                guard status.st_mode & S_IFMT == S_IFREG else { return try Data(bytes).write(to: file) }
                try Self.replace(file.resolvingSymlinksInPath(), by: bytes, mode: status.st_mode & 0o7777)
            }
        } catch let error as ClosedOutput {
            throw error
        } catch let error as OutputFailure {
            throw error
        } catch let error where !(error is CancellationError) {
            throw Failure(subject: path, error)
        }
    }

    /// Puts a complete file in the place of one, with its permissions.
    private static func replace(_ file: URL, by bytes: [UInt8], mode: mode_t) throws {
        let new = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).\(UUID().uuidString)")
        do {
            // Nobody else can read it before it has its permissions.
            let descriptor = try FileDescriptor.open(
                FilePath(new.path(percentEncoded: false)),
                .writeOnly,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite
            )
            try descriptor.closeAfter {
                try descriptor.writeAll(bytes)
                if fchmod(descriptor.rawValue, mode) != 0 { throw Errno(rawValue: errno) }
            }
            if rename(new.path(percentEncoded: false), file.path(percentEncoded: false)) != 0 {
                throw Errno(rawValue: errno)
            }
        } catch {
            try? FileManager.default.removeItem(at: new)
            throw error
        }
    }
}
