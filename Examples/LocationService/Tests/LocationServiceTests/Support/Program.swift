// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation

/// One run of the command.
struct Program {
    /// What the command left behind.
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var errors: String
    }

    let process = Process()
    /// Where the command keeps what the user allows.
    let settings = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    /// Describes a run, in which the user's answer is known or not.
    init(_ arguments: [String], permission: String? = "authorizedWhenInUse") throws {
        // The tests lie beside the program.
        self.process.executableURL = Bundle.main.bundleURL.appending(path: "whereami")
        self.process.arguments = arguments
        self.process.environment = ProcessInfo.processInfo.environment.merging(
            ["XDG_CONFIG_HOME": self.settings.path],
            uniquingKeysWith: { $1 }
        )
        self.process.standardInput = FileHandle.nullDevice
        let folder = self.settings.appending(path: "whereami")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try permission.map { try Data($0.utf8).write(to: self.file) }
    }

    private var file: URL { self.settings.appending(path: "whereami/permission") }

    /// What the command has kept.
    var permission: String? { try? String(contentsOf: self.file, encoding: .utf8) }

    /// Runs the command to its end.
    ///
    /// Why not: to read a pipe blocks a thread of Swift's pool. So it prints to files, unless the test has set a pipe.
    ///
    /// - Parameters:
    ///   - terminal: Gets the errors.
    ///   - begun: Called when the command runs.
    /// - Returns: What it left behind.
    /// - Throws: What the system or the closure throws.
    func run(errors terminal: FileHandle? = nil, _ begun: () throws -> Void = {}) async throws -> Outcome {
        let (output, errors) = (self.settings.appending(path: "output"), self.settings.appending(path: "errors"))
        try Data().write(to: output)
        try Data().write(to: errors)
        if !(self.process.standardOutput is Pipe) { self.process.standardOutput = try FileHandle(forWritingTo: output) }
        self.process.standardError = try terminal ?? FileHandle(forWritingTo: errors)
        let status = try await withCallback(of: Int32.self, cancellation: .cooperative) { callback in
            self.process.terminationHandler = {
                callback.resume(returning: $0.terminationReason == .exit ? $0.terminationStatus : -$0.terminationStatus)
            }
            try self.process.run()
            try begun()
        } onCancel: {
            self.process.terminate()
        }
        return Outcome(
            status: status,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }

    /// Removes what the command has kept.
    func clean() { try? FileManager.default.removeItem(at: self.settings) }
}
