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
        try self.init(Self.tool, arguments, in: folder.url, input: Data(input.utf8))
    }

    init(_ arguments: [String], in folder: Folder, input: Data) throws {
        try self.init(Self.tool, arguments, in: folder.url, input: input)
    }

    /// Runs the command, which has a terminal for its messages.
    init(_ arguments: [String], in folder: Folder, errors terminal: Terminal) throws {
        try self.init(Self.tool, arguments, in: folder.url, input: Data(), errors: terminal)
    }

    /// Runs a line of a shell, in which `$tool` is the command.
    init(shell line: String, in folder: Folder) throws {
        try self.init(URL(filePath: "/bin/sh"), ["-c", line], in: folder.url, input: Data())
    }

    private static var tool: URL {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "asyncbridge")
    }

    private init(
        _ program: URL,
        _ arguments: [String],
        in folder: URL,
        input: Data,
        errors terminal: Terminal? = nil
    ) throws {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment
            .merging(["tool": Self.tool.path(percentEncoded: false)]) { _, new in new }
        let (read, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = read
        process.standardOutput = output
        process.standardError = terminal?.program ?? errors as Any
        try process.run()
        // Nobody need read it.
        if !input.isEmpty { try read.fileHandleForWriting.write(contentsOf: input) }
        try read.fileHandleForWriting.close()
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        if let terminal {
            self.errors = terminal.text()
        } else {
            self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
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
