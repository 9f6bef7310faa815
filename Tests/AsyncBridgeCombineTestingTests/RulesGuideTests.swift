// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import OpenCombineShim
import Testing

@Suite("The rules and their guide", .timeLimit(.minutes(10)))
struct RulesGuideTests {
    private let rows: [Substring]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = "Sources/AsyncBridgeCombineTesting/AsyncBridgeCombineTesting.docc/Guides/RulesAndScenarios.md"
        let text = try String(contentsOf: root.appending(path: guide), encoding: .utf8)
        self.rows = text.split(separator: "\n").filter { $0.wholeMatch(of: /\| \d\.\d+ .*/) != nil }
    }

    @Test func `names only real scenarios`() {
        let promises = PublisherPromises.wrong.with { $0.takesZeroDemand = true }
        let publishers = PublisherVerification.numbers("", promises: promises).driven { Relay($0) }
        let subscribers = SubscriberVerification.collector("", promises: .wrong)
        let subjects = PublisherVerification.driven("", promises: .subject) { PassthroughSubject.driven(by: $0) }
        let names = Set(publishers.scenarioNames + subjects.scenarioNames + subscribers.scenarioNames)
        for row in self.rows {
            for match in row.matches(of: /"([^"]+)"/) where !names.contains(String(match.1)) {
                Issue.record("no scenario is called \(match.1)")
            }
        }
    }

    @Test func `names every rule once`() {
        let named = self.rows.map { row in row.split(separator: " ")[1] }.map(String.init)
        #expect(named == ReactiveStreamsRule.allCases.map(\.number))
    }

    @Test(arguments: ReactiveStreamsRule.allCases)
    func `every rule has an advice`(_ rule: ReactiveStreamsRule) {
        #expect(!rule.advice.isEmpty && !rule.advice.hasSuffix("."))
        #expect("\(rule)" == "Reactive Streams \(rule.number) (\(rule.name))")
    }

    @Test func `are all there are`() {
        let numbers = (1...11).map { "1.\($0)" } + (1...13).map { "2.\($0)" } + (1...17).map { "3.\($0)" }
        #expect(ReactiveStreamsRule.allCases.map(\.number) == numbers)
        #expect(Set(ReactiveStreamsRule.allCases.map(\.name)).count == numbers.count)
    }
}
#endif
