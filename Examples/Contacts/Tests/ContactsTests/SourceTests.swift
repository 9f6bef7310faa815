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

    /// The sources of a step, by their paths in it.
    private static func files(of step: String) throws -> [String: String] {
        let folder = "Sources/\(step)/"
        let paths = try Self.sources.swiftFiles().filter { $0.hasPrefix(folder) }
        return Dictionary(
            uniqueKeysWithValues: try paths.map { ($0.dropFirst(folder.count).description, try Self.sources.text($0)) }
        )
    }

    /// The files in which two steps differ: what each step promises to leave alone, it does.
    @Test(arguments: [
        (
            "Contacts1AsFound", "Contacts2AsyncBeside",
            [
                "AsyncBridge/AddressBook+Async", "AsyncBridge/ContactsAPI+Async", "AsyncBridge/UsersNamesLoader+Async",
                "NamesScreen",
            ]
        ),
        ("Contacts2AsyncBeside", "Contacts3AsyncPublishers", ["ContactsAPI", "ContactsAPI+Combine"]),
        (
            "Contacts3AsyncPublishers", "Contacts4SendableHandlers",
            ["AddressBook", "ContactsAPI", "ContactsHandler", "NamesScreen", "UsersNamesLoader"]
        ),
        (
            "Contacts4SendableHandlers", "Contacts5AsyncCore",
            [
                "AsyncBridge/ContactsAPI+Async", "AsyncBridge/UsersNamesLoader+Async", "ContactsAPI",
                "ContactsAPI+OldCallers", "UsersNamesLoader",
            ]
        ),
        (
            "Contacts5AsyncCore", "Contacts6CallersMoved",
            [
                "AddressBook", "AsyncBridge/AddressBook+Async", "ContactsAPI", "ContactsAPI+Combine", "ContactsHandler",
                "UsersNamesLoader",
            ]
        ),
        (
            "Contacts6CallersMoved", "Contacts7CallbacksRemoved",
            ["ContactsAPI", "ContactsAPI+Combine", "ContactsAPI+OldCallers", "UsersNamesLoader"]
        ),
    ])
    func `a step changes no other file`(_ old: String, _ new: String, _ changes: [String]) throws {
        let (before, after) = (try Self.files(of: old), try Self.files(of: new))
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        #expect(changed.sorted() == changes.map { "\($0).swift" }.sorted())
    }

    /// Step 2 only adds files.
    @Test func `no line has changed in step 2`() throws {
        let after = try Self.files(of: "Contacts2AsyncBeside")
        for (path, text) in try Self.files(of: "Contacts1AsFound") { #expect(after[path] == text, "\(path)") }
    }

    /// Step 4 says which types and handlers are `Sendable`, and nothing else.
    @Test func `step 4 adds nothing but words about Sendable`() throws {
        // Without spaces: a longer line is broken.
        func words(_ text: String) -> String { text.filter { !$0.isWhitespace }.replacing(",)", with: ")") }
        let before = try Self.files(of: "Contacts3AsyncPublishers")
        for (path, text) in try Self.files(of: "Contacts4SendableHandlers") {
            let plain = text.replacing("@preconcurrency\n", with: "").replacing("@Sendable ", with: "")
            #expect(words(plain.replacing(": Sendable {", with: " {")) == words(before[path] ?? ""), "\(path)")
        }
    }

    /// `ContactsMainActorSwift5Tests` shows in step 4 why: callers on the main actor would not compile without it.
    @Test(arguments: ["Contacts4SendableHandlers", "Contacts5AsyncCore", "Contacts6CallersMoved"])
    func `each handler and protocol that became Sendable has @preconcurrency`(_ step: String) throws {
        func count(_ word: String, _ text: String) -> Int { text.components(separatedBy: word).count - 1 }
        var handlers = 0
        for (path, text) in try Self.files(of: step) {
            handlers += count("@escaping @Sendable (", text)
            let expected = count("@escaping @Sendable (", text) + count("package protocol ", text)
            #expect(count("@preconcurrency\n", text) == expected, "\(path)")
        }
        #expect(handlers >= 6)
    }

    @Test func `the last step needs no bridge`() throws {
        let last = try Self.sources.swiftFiles().filter { $0.contains("Contacts7CallbacksRemoved") }
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
