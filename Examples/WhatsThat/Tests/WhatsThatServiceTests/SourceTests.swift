// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExampleTesting
import Foundation
import Testing

@Suite("The sources", .timeLimit(.minutes(10)))
struct SourceTests {
    private static let sources = ExampleSources()

    @Test func `there are sources`() throws { #expect(try Self.sources.swiftFiles().count > 30) }

    /// Without their indentation.
    private static func flat(_ lines: [String]) -> [String] { lines.map { String($0.drop { $0 == " " }) } }

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
        let sources = try Self.sources.swiftFiles().map { Self.flat(ExampleSources.lines(try Self.sources.text($0))) }
        // What was before is in blocks of plain text.
        let blocks = try Self.sources.blocks("swift").map(Self.flat)
        #expect(blocks.count >= 3)
        for block in blocks {
            #expect(sources.contains { ExampleSources.stands(block, in: $0) }, "\(block.first ?? "")")
        }
    }

    /// What the browser tests and the page's users look for.
    @Test func `the page has its parts`() throws {
        let page = try Self.sources.text("Sources/WhatsThatServer/Resources/page.html")
        for id in [
            "file", "camera", "drop", "picture", "caption", "candidates", "cancel", "note", "problem", "upload",
            "before", "earlier", "samples",
        ] {
            #expect(page.components(separatedBy: "id=\"\(id)\"").count == 2, "\(id)")
        }
        for landmark in ["<header>", "<main>", "<footer>", "lang=\"en\"", "name=\"viewport\"", "role=\"alert\""] {
            #expect(page.contains(landmark))
        }
        // Nothing comes from elsewhere.
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("<link"))
    }
}
