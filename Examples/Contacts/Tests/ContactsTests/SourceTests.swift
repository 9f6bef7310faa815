// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

@Suite("The sources", .timeLimit(.minutes(1)))
struct SourceTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
    }

    private static func swiftFiles() throws -> [String] {
        let files = FileManager.default.enumerator(atPath: Self.package.appending(path: "Sources").path())
        let paths = try #require(files).compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 40)
        return paths.map { "Sources/\($0)" }
    }

    /// The blocks of the README in a language, by lines.
    private static func blocks(_ language: String) throws -> [[String]] {
        try Self.text("README.md").components(separatedBy: "```\(language)\n").dropFirst().map { rest in
            Self.lines(rest.components(separatedBy: "\n```")[0])
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func stands(_ block: [String], in lines: [String]) -> Bool {
        lines.indices.contains { lines[$0...].starts(with: block) }
    }

    /// Nobody who reads an example should learn to make by hand what this package has.
    @Test func `no bridge is made by hand`() throws {
        let bridges = try Regex(
            #"with(Checked|Unsafe)(Throwing)?Continuation|Dispatch(Semaphore|Group)|Async(Throwing)?Stream\b"#
                + #"|\bTask(\.detached|\.immediate|<.*>)? ?[({]"#
        )
        for file in try Self.swiftFiles() {
            for match in try Self.text(file).matches(of: bridges) {
                Issue.record("\(file): \(match.output.first?.substring ?? "")")
            }
        }
        // The pattern finds what it is for.
        for bridge in ["await withCheckedThrowingContinuation {", "  Task {", "Task.detached {", "AsyncStream<Int> {"] {
            #expect(bridge.contains(bridges))
        }
        #expect(!"group.addTask { try Task.checkCancellation() }".contains(bridges))
    }

    @Test func `the code in the README is in a source`() throws {
        let sources = try Self.swiftFiles().map { Self.lines(try Self.text($0)) }
        let blocks = try Self.blocks("swift")
        #expect(blocks.count >= 6)
        for block in blocks {
            #expect(sources.contains { Self.stands(block, in: $0) }, "\(block.first ?? "")")
        }
    }

    @Test func `the diffs in the README are those of the sources`() async throws {
        let blocks = try Self.blocks("diff")
        #expect(blocks.count >= 5)
        for block in blocks {
            let old = try #require(block.first?.split(separator: " ").last)
            let new = try #require(block.dropFirst().first?.split(separator: " ").last)
            let difference = try await Self.difference("Sources/\(old)", "Sources/\(new)")
            #expect(Self.stands(Array(block.dropFirst(2)), in: difference), "\(new)")
        }
    }

    /// Step 2 promises that it changes no line, step 3 that clients see only `@Sendable`.
    @Test func `old callers do not change`() throws {
        for file in ["AddressBook", "ContactsAPI", "ContactsAPI+Combine", "ContactsHandler", "UsersNamesLoader"] {
            let found = try Self.text("Sources/Contacts1AsFound/\(file).swift")
            #expect(try Self.text("Sources/Contacts2AsyncBeside/\(file).swift") == found)
        }
        for file in ["AddressBook", "ContactsHandler", "NamesScreen"] {
            let before = try Self.text("Sources/Contacts2AsyncBeside/\(file).swift")
            let after = try Self.text("Sources/Contacts3AsyncCore/\(file).swift")
            #expect(before == after.replacing("@Sendable ", with: "").replacing(": Sendable {", with: " {"), "\(file)")
        }
    }

    @Test func `the last step needs no bridge`() throws {
        let last = try Self.swiftFiles().filter { $0.contains("Contacts5CallbacksRemoved") }
        #expect(last.count == 5)
        for file in last {
            let text = try Self.text(file)
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
        process.currentDirectoryURL = Self.package
        process.standardOutput = try FileHandle(forWritingTo: output)
        let end = try await process.runToEnd()
        // They differ.
        #expect(end.status == 1)
        return Self.lines(try String(contentsOf: output, encoding: .utf8))
    }
}
