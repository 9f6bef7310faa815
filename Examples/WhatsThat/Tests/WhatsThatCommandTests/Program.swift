// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import WhatsThatTesting

/// A folder with a model and pictures, and the command in it.
struct Program {
    /// What the command left behind.
    struct Outcome: Sendable {
        /// The status, or the signal's number below zero.
        var status: Int32
        var output: String
        var errors: String
    }

    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        try self.write("colours.onnx", TestModels.colours())
        try self.write("endless.onnx", TestModels.endless())
        try self.write("labels.txt", Array("red\ngreen\nblue\n".utf8))
        try self.write("manifest.json", Array(#"{"width": 8, "height": 8, "scale": [0.04, 0.04, 0.04]}"#.utf8))
        try self.write("red.png", try Drawing(.red).file(.png))
        try self.write("green.jpg", try Drawing(.green).file(.jpeg))
        try self.write("blue.webp", try Drawing(.blue).file(.webP))
    }

    func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: self.folder.appending(path: name)) }

    /// The options for a model of the folder.
    static func model(_ name: String = "colours") -> [String] {
        ["--model", "\(name).onnx", "--labels", "labels.txt", "--manifest", "manifest.json"]
    }

    /// A run that has not begun.
    ///
    /// Why not: to read a pipe blocks a thread of Swift's pool. So it prints to files.
    func process(_ arguments: [String], environment: [String: String] = [:]) throws -> Process {
        let process = Process()
        // The tests lie beside the program.
        process.executableURL = Bundle.main.bundleURL.appending(path: "whatsthat")
        process.arguments = arguments
        process.currentDirectoryURL = self.folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        for name in ["output", "errors"] { try self.write(name, []) }
        process.standardOutput = try FileHandle(forWritingTo: self.folder.appending(path: "output"))
        process.standardError = try FileHandle(forWritingTo: self.folder.appending(path: "errors"))
        return process
    }

    /// Runs the command to its end.
    func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Outcome {
        try await self.outcome(of: try self.process(arguments, environment: environment))
    }

    func outcome(of process: Process) async throws -> Outcome {
        let end = try await process.runToEnd()
        return Outcome(
            status: end.reason == .exit ? end.status : -end.status,
            output: try self.text("output"),
            errors: try self.text("errors")
        )
    }

    /// What was printed until now.
    func text(_ name: String) throws -> String {
        try String(contentsOf: self.folder.appending(path: name), encoding: .utf8)
    }

    /// Removes the folder.
    func clean() { try? FileManager.default.removeItem(at: self.folder) }
}
