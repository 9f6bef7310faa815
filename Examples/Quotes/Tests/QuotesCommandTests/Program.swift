// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
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
    /// Where it prints, instead of a file that is read afterwards.
    var output: FileHandle?

    init(_ arguments: [String]) {
        // The tests lie beside the programs.
        self.process.executableURL = Bundle.main.bundleURL.appending(path: "quotes")
        self.process.arguments = arguments
    }

    /// Runs the command to its end.
    ///
    /// Why not: to read a pipe blocks a thread of Swift's pool, which the server in this process needs. So it prints to
    /// files.
    func run() async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        try Data().write(to: output)
        try Data().write(to: errors)
        if !(self.process.standardOutput is Pipe) {
            self.process.standardOutput = try self.output ?? FileHandle(forWritingTo: output)
        }
        self.process.standardError = try FileHandle(forWritingTo: errors)
        let end = try await self.process.runToEnd()
        return Outcome(
            status: end.status,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }

    /// Runs the command with these words.
    static func run(_ arguments: String...) async throws -> Outcome { try await Self(arguments).run() }
}
