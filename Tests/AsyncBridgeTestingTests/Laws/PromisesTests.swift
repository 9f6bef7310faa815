// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import TestSupport
import Testing

@testable import AsyncBridgeTesting

@Suite("Promises, and their guide", .timeLimit(.minutes(10)))
struct PromisesTests {
    /// The rows of the guide's two tables, by the name of the promise.
    private let tables: [[String: String]]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = "Sources/AsyncBridgeTesting/AsyncBridgeTesting.docc/Guides/Promises.md"
        let text = try String(contentsOf: root.appending(path: guide), encoding: .utf8)
        self.tables = text.components(separatedBy: "``SequencePromises``").map { part in
            let rows = part.split(separator: "\n").filter { $0.hasPrefix("| `") }
            return Dictionary(uniqueKeysWithValues: rows.map { (String($0.split(separator: "`")[1]), String($0)) })
        }
    }

    private static let oneShot: [(String, @Sendable (inout OneShotPromises) -> Void)] = [
        ("cancelsSource", { $0.cancelsSource = false }), ("detectsDrops", { $0.detectsDrops = false }),
        ("takesOverlappingCalls", { $0.takesOverlappingCalls = false }),
        ("startsOnCaller", { $0.startsOnCaller = false }),
        ("handsBackLateValues", { $0.handsBackLateValues = false }), ("timeout", { $0.timeout = nil }),
    ]

    private static let sequence: [(String, @Sendable (inout SequencePromises) -> Void)] = [
        ("overflow", { $0.overflow = .fails }), ("passesErrors", { $0.passesErrors = false }),
        ("detectsDrops", { $0.detectsDrops = false }), ("throwsWhenCancelled", { $0.throwsWhenCancelled = false }),
        ("takesSecondIterator", { $0.takesSecondIterator = false }),
        ("startsInConsumer", { $0.startsInConsumer = false }),
        ("handsBackElements", { $0.handsBackElements = false }),
    ]

    /// What is left out without a promise is what is run for it.
    @Test func `the guide lists what is run for each`() throws {
        let everything = OneShotPromises.everything
        for (name, takeBack) in Self.oneShot {
            let left = OneShotLaws.scenarioNames(for: everything.with(takeBack))
            let run = Set(OneShotLaws.scenarioNames(for: everything)).subtracting(left)
            try expect(self.tables[0][name], names: run)
        }
        for (name, takeBack) in Self.sequence {
            let left = SequenceLaws.scenarioNames(for: .everything.with(takeBack))
            let run = Set(SequenceLaws.scenarioNames(for: .everything)).subtracting(left)
            try expect(self.tables[1][name], names: run)
        }
    }

    @Test func `the guide names only real scenarios`() {
        let oneShot = OneShotLaws.scenarioNames(for: .everything)
        let sequence = SequencePromises.kinds.flatMap { SequenceLaws.scenarioNames(for: $0) }
        for (table, names) in zip(self.tables, [oneShot, sequence]) {
            for match in table.values.joined().matches(of: /"([^"]+)"/) where !names.contains(String(match.1)) {
                Issue.record("no scenario is called \(match.1)")
            }
        }
    }

    @Test func `the guide has a row for each promise`() {
        for (table, promises) in zip(
            self.tables,
            [Mirror(reflecting: OneShotPromises.standard), Mirror(reflecting: SequencePromises.standard)]
        ) {
            #expect(Set(table.keys) == Set(promises.children.compactMap(\.label)))
        }
    }

    private static let oneShotCancellation: [(String, @Sendable (inout OneShotPromises) -> Void)] = [
        ("cancellation = .prompt", { $0.cancellation = .cooperative }),
        ("cancellation = .prompt", { $0.cancellation = .ignored }),
    ]

    private static let sequenceOverflow: [(String, @Sendable (inout SequencePromises) -> Void)] = [
        ("overflow = .keeps", { $0.overflow = .countsDrops }), ("overflow = .keeps", { $0.overflow = .dropsOldest }),
        ("overflow = .keeps", { $0.overflow = .dropsNewest }), ("overflow = .keeps", { $0.overflow = .fails }),
        ("stopsWhenLeft", { $0.stopsWhenLeft = false }),
    ]

    /// What is promised by default, by the names of the properties.
    private func standard(_ promises: Any, _ others: [String]) -> Set<String> {
        let children = Mirror(reflecting: promises).children
        return Set(children.compactMap { $0.value as? Bool == true ? $0.label : nil } + others)
    }

    /// A violation tells the promise if it is one of those by default; then its property is added to what was named.
    private func expectPromise(
        _ violation: Violation?,
        takesBack name: String,
        of standard: Set<String>,
        _ named: inout Set<String>
    ) throws {
        let violation = try #require(violation)
        let property = String(name.prefix { $0 != " " })
        let isStandard = standard.contains(property)
        #expect(violation.notPromised == (isStandard ? [name] : []))
        #expect(
            violation.description.contains("\n  Not promised, so not tested: \(name)\n") == isStandard,
            "\(violation)"
        )
        if isStandard { named.insert(property) }
    }

    /// What is not in `.standard` is not taken back, and so is a source that pauses, which keeps all elements.
    @Test func `a violation says of each promise of a one-shot bridge that it was taken back`() async throws {
        let standard = self.standard(OneShotPromises.standard, ["cancellation"])
        var named: Set<String> = []
        for (name, takeBack) in Self.oneShot + Self.oneShotCancellation {
            let violations = await OneShotLaws.check(
                "mine",
                promises: .wrong.with(takeBack),
                only: ["the source answers at once"]
            ) { _ in 0 }
            try self.expectPromise(violations.first, takesBack: name, of: standard, &named)
        }
        #expect(named == standard)
    }

    @Test func `a violation says of each promise of a sequence that it was taken back`() async throws {
        let standard = self.standard(SequencePromises.standard, ["overflow"])
        var named: Set<String> = []
        for (name, takeBack) in Self.sequence.filter({ $0.0 != "overflow" }) + Self.sequenceOverflow {
            let violations = await SequenceLaws.check(
                "mine",
                promises: .wrong.with(takeBack),
                only: ["the source finishes inside start"]
            ) { _ in
                AsyncStream<Int> { sink in
                    sink.yield(7)
                    sink.finish()
                }
            }
            try self.expectPromise(violations.first, takesBack: name, of: standard, &named)
        }
        #expect(named == standard)
        let pausing = SequencePromises.standard.with { $0.overflow = .pauses }
        #expect(pausing.notMade == [])
    }

    @Test func `a violation says which promises of a one-shot bridge were taken back`() async throws {
        let promises = OneShotPromises.wrong.with {
            $0.cancellation = .ignored
            $0.detectsDrops = false
        }
        let violations = await OneShotLaws.check("mine", promises: promises, only: ["the source answers at once"]) {
            _ in 0
        }
        let violation = try #require(violations.first)
        #expect(violation.notPromised == ["cancellation = .prompt", "detectsDrops"])
        #expect(
            violation.description.contains("\n  Not promised, so not tested: cancellation = .prompt, detectsDrops\n")
        )
    }

    @Test func `a violation says which promises of a sequence were taken back`() async throws {
        let promises = SequencePromises.wrong.with {
            $0.overflow = .dropsOldest
            $0.takesSecondIterator = false
        }
        let names: Set = ["the source finishes inside start"]
        let violations = await SequenceLaws.check("mine", promises: promises, only: names) { _ in
            AsyncStream<Int> { sink in
                sink.yield(7)
                sink.finish()
            }
        }
        let violation = try #require(violations.first)
        #expect(violation.notPromised == ["overflow = .keeps", "takesSecondIterator"])
    }

    @Test func `a violation of all promises says nothing about them`() async throws {
        let violations = await OneShotLaws.check("mine", promises: .wrong, only: ["the source answers at once"]) {
            _ in 0
        }
        let violation = try #require(violations.first)
        #expect(violation.notPromised == [])
        #expect(!violation.description.contains("Not promised"))
    }
}
