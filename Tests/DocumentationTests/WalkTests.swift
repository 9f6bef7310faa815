// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Foundation
import Synchronization
import Testing

/// A reader who copies what the guide shows gets what it shows.
@Suite("The walk of the guide to testing bridges", .serialized, .timeLimit(.minutes(10)))
struct WalkTests {
    private let walk: Substring

    init() throws {
        let guide = try PackageFiles.file("Sources/AsyncBridge/AsyncBridge.docc/Guides/TestingBridges.md").text
        let start = try #require(guide.range(of: "### From an empty file to a counter-example\n"))
        let rest = guide[start.upperBound...]
        self.walk = rest[..<(rest.range(of: "\n### ")?.lowerBound ?? rest.endIndex)]
    }

    @Test func `prints what the guide shows`() async throws {
        let shown = try #require(self.blocks(of: "text").first)
        var printed = ""
        // A busy machine may make the search for the shortest history end too early.
        for _ in 0..<5 where Self.words(of: printed) != Self.words(of: shown) {
            printed = await Self.output().replacing(/Made at \S+:\d+/, with: "Made at \(self.place)")
        }
        #expect(Self.words(of: printed) == Self.words(of: shown), "\(printed)")
    }

    @Test func `the mended loader obeys the laws`() async {
        let loader = MendedQuoteLoader()
        let violations = await OneShotLaws.check("quotes") { try await loader.quote(from: $0) }
        #expect(violations.isEmpty, "\(violations)")
    }

    /// What the test of the walk says when it fails.
    private static func output() async -> String {
        let text = Mutex("")
        await withKnownIssue {
            await QuoteLoaderTests().obeysTheLaws()
        } matching: { issue in
            let comments = issue.comments.map(\.rawValue).joined()
            text.withLock { $0 = comments }
            return true
        }
        return text.withLock { String($0.dropFirst("[".count).dropLast("]".count)) }
    }

    /// Where the check is in the reader's file, which has the walk's first two blocks and a blank line between them.
    private var place: String {
        let lines = self.blocks(of: "swift").prefix(2).joined(separator: "\n").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let index = lines.firstIndex { $0.contains("OneShotLaws.check(") } ?? 0
        return "QuotesTests/QuoteLoaderTests.swift:\(index + 1)"
    }

    private func blocks(of language: String) -> [Substring] {
        self.walk.matches(of: /(?s)```(\w+)\n(.*?)```/).filter { $0.1 == language }.map(\.2)
    }

    /// The guide breaks its lines elsewhere.
    private static func words(of text: some StringProtocol) -> [String] {
        text.components(separatedBy: .whitespacesAndNewlines).filter { !$0.isEmpty }
    }
}
