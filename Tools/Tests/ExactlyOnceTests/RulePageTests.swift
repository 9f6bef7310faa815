// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import Testing

/// What a rule's page shows is what the rule finds.
@Suite(.timeLimit(.minutes(10))) struct `The page of a rule` {
    @Test(arguments: Rules.pages)
    func `shows something wrong that only this rule reports`(page: RulePage) {
        #expect(Self.findings(in: page.bad).map(\.rule) == [page.id])
    }

    @Test(arguments: Rules.pages)
    func `shows something right of which no rule reports anything`(page: RulePage) {
        #expect(Self.findings(in: page.good).map(\.rule) == [])
        #expect(Self.findings(in: page.instead).map(\.rule) == [])
    }

    @Test(arguments: Rules.pages)
    func `names each level at which it reports what it shows`(page: RulePage) throws {
        let finding = try #require(Self.findings(in: page.bad).first)
        #expect(page.levels.contains(finding.level.rawValue))
    }

    /// The findings of all levels in an example: members of a type with a stored continuation, or what a function does.
    private static func findings(in example: String) -> [Finding] {
        let isMember = example.hasPrefix("func ") || example.hasPrefix("private ")
        let members = isMember ? example : "func example() async throws {\n\(example)\n}"
        let stored = "var continuation: CheckedContinuation<Item, any Error>?\n"
        let own = example.contains("let continuation:") ? "" : stored
        let source = "final class Example {\n\(own)\(members)\n}\n"
        let file = SourceFile(path: "page.swift", source: source)
        #expect(file.firstSyntaxError == nil, "the example cannot be parsed")
        return Analysis(knowledge: Knowledge(of: [file], apis: .standard)).findings(in: file)
    }
}
