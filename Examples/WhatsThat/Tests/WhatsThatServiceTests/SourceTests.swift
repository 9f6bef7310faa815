// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@Suite("The sources", .timeLimit(.minutes(1)))
struct SourceTests {
    private static let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Self.example.appending(path: path), encoding: .utf8)
    }

    private static func swiftFiles() throws -> [String] {
        let files = FileManager.default.enumerator(atPath: Self.example.appending(path: "Sources").path())
        let paths = try #require(files).compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 30)
        return paths.map { "Sources/\($0)" }
    }

    /// Without their indentation.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0.drop { $0 == " " }) }
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
        // What was before is in blocks of plain text.
        let blocks = try Self.text("README.md").components(separatedBy: "```swift\n").dropFirst().map { rest in
            Self.lines(rest.components(separatedBy: "\n```")[0])
        }
        #expect(blocks.count >= 3)
        for block in blocks {
            let stands = sources.contains { source in
                source.indices.contains { source[$0...].starts(with: block) }
            }
            #expect(stands, "\(block.first ?? "")")
        }
    }

    /// What the browser tests and the page's users look for.
    @Test func `the page has its parts`() throws {
        let page = try Self.text("Sources/WhatsThatServer/Resources/page.html")
        for id in ["file", "drop", "picture", "caption", "candidates", "cancel", "problem"] {
            #expect(page.components(separatedBy: "id=\"\(id)\"").count == 2, "\(id)")
        }
        for landmark in ["<header>", "<main>", "<footer>", "lang=\"en\"", "name=\"viewport\"", "role=\"alert\""] {
            #expect(page.contains(landmark))
        }
        // Nothing comes from elsewhere.
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("<link"))
    }
}
