// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// The example of the guide “Migrating a codebase”: its second step is what the tool writes for its first.
@Suite(.timeLimit(.minutes(5))) struct `The second step of Contacts` {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Examples/Contacts/Sources").standardizedFileURL

    /// The files of a step, by their paths in it.
    private func files(of step: String) throws -> [String: String] {
        let folder = Self.sources.appending(path: step)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
        let texts = try paths.filter { $0.hasSuffix(".swift") }.map { path in
            (path, try String(contentsOf: folder.appending(path: path), encoding: .utf8))
        }
        return Dictionary(uniqueKeysWithValues: texts)
    }

    private func isWritten(_ path: String) -> Bool { path.hasPrefix("AsyncBridge/") }

    /// What the compiler says of the imports that the tool has taken over.
    private static let warnings = [
        "AddressBook": [], "ContactsAPI": ["Dispatch", "GRDB"], "UsersNamesLoader": ["Dispatch", "GRDB"],
    ]

    @Test func `is what the tool writes for the first one, but for what a task that saves waits for`() throws {
        let folder = try Command.folder(files(of: "Contacts1AsFound"))
        let lines = Self.warnings.flatMap { file, modules in
            modules.map { module in
                let words = "package import of '\(module)' was not used in package declarations"
                return "echo \"$PWD/AsyncBridge/\(file)+Async.swift:9:1: warning: \(words)\""
            }
        }
        let build = lines.joined(separator: "; ")
        let command = try Command(["wrap", ".", "--write", "--allow-dirty", "--verify", build], in: folder)
        #expect(command.status == 0, "\(command.errors)")
        let expected = try files(of: "Contacts2AsyncBeside").filter { isWritten($0.key) }
        #expect(expected.keys.sorted() == Self.warnings.keys.sorted().map { "AsyncBridge/\($0)+Async.swift" })
        for (path, text) in expected {
            let written = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(written == text.replacing(", cancellation: .cooperative", with: ""), "\(path)")
        }
        let edits = expected.values.map { $0.split(separator: ", cancellation: .cooperative").count - 1 }
        #expect(edits.reduce(0, +) == 2)
        for (path, text) in try files(of: "Contacts1AsFound") {
            #expect(try String(contentsOf: folder.appending(path: path), encoding: .utf8) == text, "\(path)")
        }
    }

    /// Publishers and `@Sendable` are no reason to write a block anew, and a function whose async form is written by
    /// hand has none.
    @Test(arguments: [
        ("Contacts2AsyncBeside", 5), ("Contacts3AsyncPublishers", 5), ("Contacts4SendableHandlers", 5),
        ("Contacts5AsyncCore", 2),
    ])
    func `stays as it is when the tool runs again, also in later steps`(_ step: String, _ twins: Int) throws {
        let folder = try Command.folder(files(of: step))
        let command = try Command(["wrap", "."], in: folder)
        #expect(command.status == 0)
        #expect(command.output.contains("\n  \(twins) with a twin that this tool writes"), "\(command.output)")
        #expect(!command.output.contains("@@"), "\(command.output)")
    }
}
