// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// A command line that somebody has written, run by a shell.
struct ShellCommand {
    var line: String
    var folder: String

    /// Runs it, and takes what it prints on both outputs.
    func run(_ interruption: Interruption) throws -> (succeeded: Bool, output: String) {
        try interruption.check()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        do {
            try process.run()
        } catch {
            throw Failure("“\(line)” cannot be run: \(error.localizedDescription)")
        }
        interruption.watch(process.processIdentifier)
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        interruption.watch(nil)
        try interruption.check()
        let succeeded = process.terminationReason == .exit && process.terminationStatus == 0
        return (succeeded, String(decoding: data, as: UTF8.self))
    }
}
