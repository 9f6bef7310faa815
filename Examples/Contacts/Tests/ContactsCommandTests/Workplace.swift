// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation

/// A folder for one test, and the command run in it.
final class Workplace: Sendable {
    /// What a run left behind.
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    let folder: URL

    init() throws {
        self.folder = FileManager.default.temporaryDirectory.appending(path: "contacts-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: self.folder) }

    func path(_ name: String) -> String { self.folder.appending(path: name).path(percentEncoded: false) }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: self.folder.appending(path: name))
        return self.path(name)
    }

    /// Runs the command with a database of its own.
    func run(_ arguments: String...) async throws -> Outcome {
        try await self.run(Array(arguments.prefix(1)) + ["--database", self.path("db")] + arguments.dropFirst())
    }

    /// Runs the command as a user who may do nothing with others' files: root may do everything.
    func runAsOther(_ arguments: String...) async throws -> Outcome {
        guard geteuid() == 0 else { return try await self.run(arguments) }
        // The folder of the tests may be closed to others.
        let program = self.path("contacts-program")
        if !FileManager.default.fileExists(atPath: program) {
            try FileManager.default.copyItem(at: Self.program, to: URL(fileURLWithPath: program))
        }
        return try await self.run(arguments) { process in
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            process.arguments = ["--reuid=65534", "--regid=65534", "--clear-groups", program] + arguments
        }
    }

    /// Changes the permissions of a file or folder.
    func allow(_ permissions: Int, _ name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: self.path(name))
    }

    // The tests lie beside the program.
    private static let program = Bundle.main.bundleURL.appending(path: "contacts")

    /// Runs the command to its end.
    ///
    /// Why not: to read a pipe blocks a thread of Swift's pool. So it prints to files.
    func run(_ arguments: [String], prepare: (Process) throws -> Void = { _ in }) async throws -> Outcome {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_DATA_HOME"] = self.path("data")
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (self.path("output-\(UUID().uuidString)"), self.path("errors-\(UUID().uuidString)"))
        process.standardOutput = try Self.newFile(output)
        process.standardError = try Self.newFile(errors)
        try prepare(process)
        let end = try await process.runToEnd()
        return Outcome(
            // A signal that nobody handled is another end than a status.
            status: end.reason == .exit ? end.status : -end.status,
            output: try String(contentsOfFile: output, encoding: .utf8),
            errors: try String(contentsOfFile: errors, encoding: .utf8)
        )
    }

    private static func newFile(_ path: String) throws -> FileHandle {
        try Data().write(to: URL(fileURLWithPath: path))
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
}
