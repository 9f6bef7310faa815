// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import ExampleTesting
import Foundation
import Testing

@Suite("The sources", .timeLimit(.minutes(10)))
struct SourceTests {
    private static let sources = ExampleSources()

    @Test func `there are sources`() throws { #expect(try Self.sources.swiftFiles().count > 40) }

    @Test func `no bridge is made by hand`() throws {
        #expect(try Self.sources.handMadeBridges() == [])
        // The pattern finds what it is for.
        for bridge in [
            "await withCheckedThrowingContinuation {", "  Task {", "Task.detached {", "AsyncStream<Int> {",
            "withTaskCancellationHandler {", "= AsyncStream.makeStream(",
        ] {
            #expect(ExampleSources.hasHandMadeBridge(bridge))
        }
        #expect(!ExampleSources.hasHandMadeBridge("group.addTask { try Task.checkCancellation() }"))
    }

    @Test func `the code in the README is in a source`() throws {
        let sources = try Self.sources.swiftFiles().map { ExampleSources.lines(try Self.sources.text($0)) }
        let blocks = try Self.sources.blocks("swift")
        #expect(blocks.count >= 6)
        for block in blocks {
            #expect(sources.contains { ExampleSources.stands(block, in: $0) }, "\(block.first ?? "")")
        }
    }

    @Test func `the diffs in the README are those of the sources`() async throws {
        let blocks = try Self.sources.blocks("diff")
        #expect(blocks.count >= 5)
        for block in blocks {
            let old = try #require(block.first?.split(separator: " ").last)
            let new = try #require(block.dropFirst().first?.split(separator: " ").last)
            let difference = try await Self.difference("Sources/\(old)", "Sources/\(new)")
            #expect(ExampleSources.stands(Array(block.dropFirst(2)), in: difference), "\(new)")
        }
    }

    /// Step 2 promises that it changes no line, step 3 that clients see only `@Sendable` with `@preconcurrency`.
    @Test func `old callers do not change`() throws {
        for file in ["AddressBook", "ContactsAPI", "ContactsAPI+Combine", "ContactsHandler", "UsersNamesLoader"] {
            let found = try Self.sources.text("Sources/Contacts1AsFound/\(file).swift")
            #expect(try Self.sources.text("Sources/Contacts2AsyncBeside/\(file).swift") == found)
        }
        for file in ["AddressBook", "ContactsHandler", "NamesScreen"] {
            let before = try Self.sources.text("Sources/Contacts2AsyncBeside/\(file).swift")
            let after = try Self.sources.text("Sources/Contacts3AsyncCore/\(file).swift")
            let plain = after.replacing("    @preconcurrency\n", with: "").replacing("@Sendable ", with: "")
            #expect(before == plain.replacing(": Sendable {", with: " {"), "\(file)")
        }
    }

    @Test func `the last step needs no bridge`() throws {
        let last = try Self.sources.swiftFiles().filter { $0.contains("Contacts5CallbacksRemoved") }
        #expect(last.count == 5)
        for file in last {
            let text = try Self.sources.text(file)
            for word in ["completion", "Publisher", "import AsyncBridge", "DispatchQueue", "Combine"] {
                #expect(!text.contains(word), "\(file)")
            }
        }
    }

    private static func difference(_ old: String, _ new: String) async throws -> [String] {
        let output = FileManager.default.temporaryDirectory.appending(path: "diff-\(UUID().uuidString)")
        try Data().write(to: output)
        defer { try? FileManager.default.removeItem(at: output) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["diff", "-u", old, new]
        process.currentDirectoryURL = Self.sources.folder
        process.standardOutput = try FileHandle(forWritingTo: output)
        let end = try await process.runToEnd()
        // They differ.
        #expect(end.status == 1)
        return ExampleSources.lines(try String(contentsOf: output, encoding: .utf8))
    }
}
