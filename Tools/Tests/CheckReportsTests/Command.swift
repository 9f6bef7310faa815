// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// Runs the built command.
struct Command {
    var status: Int32
    var output: String
    var errors: String

    /// A folder for one test, which is deleted with this value's owner.
    static func folder(_ files: [String: String]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "asyncbridge-\(UUID().uuidString)")
        for (path, text) in files {
            let url = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        return folder
    }

    init(_ arguments: [String], in folder: URL, input: String = "") throws {
        let process = Process()
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "asyncbridge")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let (read, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = read
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        try read.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try read.fileHandleForWriting.close()
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
