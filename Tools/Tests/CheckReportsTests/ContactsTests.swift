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

    /// The sibling of the second step, where one attribute was edited, and the address book has none.
    @Test(arguments: ["ContactsAPI.swift", "UsersNamesLoader.swift"])
    func `with attributes is what the tool writes for the first one, but for what a task that saves waits for`(
        _ path: String
    ) throws {
        let folder = try Command.folder(files(of: "Contacts1AsFound"))
        let command = try Command(
            ["wrap", ".", "--macros", "--write", "--allow-dirty", "--verify", "true"],
            in: folder
        )
        #expect(command.status == 0, "\(command.errors)")
        let edit = "\n\n    // What is saved must be known: a cancelled task waits for it.\n    @Bridged(.cooperative)"
        let written = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        let text = try #require(try files(of: "Contacts2bMacros")[path])
        #expect(text.contains("@BridgedProtocol") && written == text.replacing(edit, with: ""))
    }

    @Test func `begins with what the guide shows of the first one`() throws {
        let guide = Self.sources.appending(
            path: "../../../Sources/AsyncBridge/AsyncBridge.docc/Guides/MigratingACodebase.md"
        )
        let text = try String(contentsOf: guide.standardizedFileURL, encoding: .utf8)
        let blocks = text.components(separatedBy: "```text\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        let summary = try #require(blocks.first { $0.contains("functions with a completion handler:") })
        let command = try Command(["wrap", ".", "--no-diff"], in: Command.folder(files(of: "Contacts1AsFound")))
        #expect(command.output.contains(summary), "\(command.output)")
        let written = try #require(blocks.first { $0.contains("asyncbridge: end") })
        let second = try #require(try files(of: "Contacts2AsyncBeside")["AsyncBridge/ContactsAPI+Async.swift"])
        for part in written.components(separatedBy: "\n\n") { #expect(second.contains(part), "\(part)") }
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
