// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// Runs the built command.
struct Command {
    var status: Int32
    var output: String
    var errors: String

    /// A folder with these files, for one test.
    static func folder(_ files: [String: String]) throws -> Folder { try Folder(files) }

    init(_ arguments: [String], in folder: Folder, input: String = "") throws {
        let process = Process()
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appending(path: "asyncbridge")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
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

/// A folder that is deleted when its test no longer needs it.
final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "asyncbridge-\(UUID().uuidString)")

    init(_ files: [String: String]) throws {
        for (path, text) in files {
            let file = appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func appending(path: String) -> URL { url.appending(path: path) }
}
