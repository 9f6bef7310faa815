// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import OpenCombineShim
import TestSupport
import Testing

@Suite("Promises of publishers and subscribers, and their guide", .timeLimit(.minutes(10)))
struct PromisesTests {
    /// The rows of the guide's two tables, by the name of the promise.
    private let tables: [[String: String]]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let guide = "Sources/AsyncBridgeCombineTesting/AsyncBridgeCombineTesting.docc/Guides/PromisesOfPublishers.md"
        let text = try String(contentsOf: root.appending(path: guide), encoding: .utf8)
        self.tables = text.components(separatedBy: "``SubscriberPromises``").map { part in
            let rows = part.split(separator: "\n").filter { $0.hasPrefix("| `") }
            return Dictionary(uniqueKeysWithValues: rows.map { (String($0.split(separator: "`")[1]), String($0)) })
        }
    }

    private static let everything = PublisherPromises.standard.with { $0.takesZeroDemand = true }

    private static let publisher: [(String, @Sendable (inout PublisherPromises) -> Void)] = [
        ("subscribers", { $0.subscribers = .one }), ("obeysDemand", { $0.obeysDemand = false }),
        ("releasesCancelledSubscriber", { $0.releasesCancelledSubscriber = false }),
        ("takesRequestsFromThreads", { $0.takesRequestsFromThreads = false }),
        ("takesEventsFromThreads", { $0.takesEventsFromThreads = false }),
        ("takesZeroDemand", { $0.takesZeroDemand = false }),
    ]

    private static let subscriber: [(String, @Sendable (inout SubscriberPromises) -> Void)] = [
        ("requestsByItself", { $0.requestsByItself = false }), ("cancels", { $0.cancels = false }),
        ("cancelsEarly", { $0.cancelsEarly = false }), ("survivesMisuse", { $0.survivesMisuse = false }),
    ]

    private static func names(_ promises: PublisherPromises) -> Set<String> {
        Set(PublisherVerification.numbers("", promises: promises).driven { Relay($0) }.scenarioNames)
    }

    private static func names(_ promises: SubscriberPromises) -> Set<String> {
        Set(SubscriberVerification.collector("", promises: promises).scenarioNames)
    }

    /// What is left out without a promise is what is run for it.
    @Test func `the guide lists what is run for each`() throws {
        for (name, takeBack) in Self.publisher {
            let left = Self.names(Self.everything.with(takeBack))
            try expect(self.tables[0][name], names: Self.names(Self.everything).subtracting(left))
        }
        for (name, takeBack) in Self.subscriber {
            let left = Self.names(SubscriberPromises.standard.with(takeBack))
            try expect(self.tables[1][name], names: Self.names(SubscriberPromises.standard).subtracting(left))
        }
    }

    @Test func `the guide names only real scenarios`() {
        let shared = Self.names(Self.everything.with { $0.subscribers = .shared })
        let names = Self.names(Self.everything).union(shared).union(["driven"])
        for (table, names) in zip(self.tables, [names, Self.names(SubscriberPromises.standard)]) {
            for match in table.values.joined().matches(of: /"([^"]+)"/) where !names.contains(String(match.1)) {
                Issue.record("no scenario is called \(match.1)")
            }
        }
    }

    @Test func `the guide has a row for each promise`() {
        for (table, promises) in zip(
            self.tables,
            [Mirror(reflecting: PublisherPromises.standard), Mirror(reflecting: SubscriberPromises.standard)]
        ) {
            #expect(Set(table.keys) == Set(promises.children.compactMap(\.label)))
        }
    }

    // MARK: Violations

    private static let scenario = "three are requested, then two, then the rest"

    @Test func `a violation says which promises of a publisher were taken back`() async throws {
        let promises = PublisherPromises.wrong.with {
            $0.counts = 0...100
            $0.subscribers = .one
            $0.stopsAtOnce = false
            // For driven publishers only.
            $0.unrequested = .dropped
            $0.takesEventsFromThreads = false
        }
        let verification = PublisherVerification("mine", promises: promises) { Numbers($0, flaw: .sendsOneTooMany) }
        let violation = try #require(await verification.check(only: [Self.scenario]).first)
        let names = ["counts = 0...Int.max", "subscribers = .each", "stopsAtOnce", "recursionCount = 100000"]
        #expect(violation.notPromised == names)
        #expect(
            violation.description.contains("\n  Not promised, so not tested: \(names.joined(separator: ", "))\n")
        )
    }

    @Test func `a violation says which promises of a driven publisher were taken back`() async throws {
        let promises = PublisherPromises.wrong.with {
            $0.subscribers = .shared
            $0.unrequested = .dropped
            $0.keptCount = 4
            $0.obeysDemand = false
            $0.releasesCancelledSubscriber = false
            $0.takesEventsFromThreads = false
            // For publishers of numbers only.
            $0.counts = 1...1
            $0.takesRequestsFromThreads = false
        }
        let verification = PublisherVerification.driven("mine", promises: promises) { _ in Empty<Int, Never>() }
        let violation = try #require(await verification.check(only: ["driven, everything is requested"]).first)
        #expect(
            violation.notPromised == [
                "subscribers = .each", "unrequested = .kept", "obeysDemand", "releasesCancelledSubscriber",
                "takesEventsFromThreads",
            ]
        )
        let keeps = promises.with { $0.unrequested = .kept }
        let keeping = PublisherVerification.driven("mine", promises: keeps) { _ in Empty<Int, Never>() }
        let other = try #require(await keeping.check(only: ["driven, everything is requested"]).first)
        #expect(other.notPromised.contains("keptCount = Int.max"))
    }

    @Test func `a violation says which promises of a subscriber were taken back`() async throws {
        let promises = SubscriberPromises.wrong.with {
            $0.requestsByItself = false
            $0.cancels = false
            $0.cancelsEarly = false
            $0.survivesMisuse = false
        }
        let verification = SubscriberVerification.collector("mine", promises: promises, .ignoresTheSecondSubscription)
        let violation = try #require(await verification.check(only: ["a second subscription comes"]).first)
        #expect(violation.notPromised == ["requestsByItself", "cancels", "survivesMisuse"])
        let early = SubscriberPromises.wrong.with { $0.cancelsEarly = false }
        let other = SubscriberVerification.collector("mine", promises: early, .ignoresTheSecondSubscription)
        let second = try #require(await other.check(only: ["a second subscription comes"]).first)
        #expect(second.notPromised == ["cancelsEarly"])
    }

    @Test func `a violation of standard promises says nothing about them`() async throws {
        let promises = PublisherPromises.standard.with { $0.patience = .milliseconds(300) }
        let publisher = PublisherVerification("mine", promises: promises) { Numbers($0, flaw: .sendsOneTooMany) }
        let subscriber = SubscriberVerification.collector("mine", promises: .wrong, .ignoresTheSecondSubscription)
        let violations = [
            try #require(await publisher.check(only: [Self.scenario]).first),
            try #require(await subscriber.check(only: ["a second subscription comes"]).first),
        ]
        for violation in violations {
            #expect(violation.notPromised == [])
            #expect(!violation.description.contains("Not promised"))
        }
    }
}
#endif
