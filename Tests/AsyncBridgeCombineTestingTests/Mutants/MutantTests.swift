// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import MutationTestSupport
import OpenCombineShim
import Testing

/// A sample; `Scripts/test-mutants` runs all.
@Suite("Mutants of publishers and subscribers are named", .serialized, .timeLimit(.minutes(30)))
struct MutantTests {
    @Test func `without a fault, they are right`() async {
        let promises = PublisherPromises.right.with { $0.recursionCount = 2_000 }
        expectNone(await Self.cold(nil, promises).check())
        expectNone(await Self.driven(nil, promises).check())
        expectNone(await Self.subscriber(nil, .right).check())
    }

    @Test func `the guide lists those that are not named`() throws {
        try GuideToMutants.expect(MutatedRun.reasons, for: "of a publisher")
        try GuideToMutants.expect(MutatedCollector.reasons, for: "of a subscriber")
    }

    @Test func `the page of the suites gives the figures`() throws {
        let references = [
            "a cold publisher": MutatedNumbers.reference, "a publisher that is driven": MutatedRelay.reference,
            "a subscriber": MutatedCollector.reference,
        ]
        let page = "Sources/AsyncBridgeCombineTesting/AsyncBridgeCombineTesting.docc/AsyncBridgeCombineTesting.md"
        try GuideToMutants.expect(references, on: page)
    }

    @Test func `cold publishers`() async {
        await MutantRun(MutatedNumbers.reference, sample: 6, reasons: MutatedRun.reasons).check { mutant in
            let verification = Self.cold(mutant, Self.impatient)
            return await Self.isNamed(verification.scenarioNames) { await verification.check(only: $0) }
        }
    }

    @Test func `driven publishers`() async {
        await MutantRun(MutatedRelay.reference, sample: 6, reasons: MutatedRun.reasons).check { mutant in
            let verification = Self.driven(mutant, Self.impatient)
            return await Self.isNamed(verification.scenarioNames) { await verification.check(only: $0) }
        }
    }

    @Test func subscribers() async {
        await MutantRun(MutatedCollector.reference, sample: 5, reasons: MutatedCollector.reasons).check { mutant in
            let verification = Self.subscriber(mutant, .wrong)
            return await Self.isNamed(verification.scenarioNames) { await verification.check(only: $0) }
        }
    }

    private static let impatient = PublisherPromises.wrong

    /// Runs the scenarios up to the first that names something: the last ones, random histories, first.
    private static func isNamed(_ names: [String], _ check: (Set<String>) async -> [Violation]) async -> Bool {
        for name in names.reversed() where await !check([name]).isEmpty { return true }
        return false
    }

    private static func cold(_ mutant: Mutant?, _ promises: PublisherPromises) -> PublisherVerification {
        PublisherVerification("cold", promises: promises) { MutatedNumbers(count: $0, mutant: mutant) }
            .failing { MutatedNumbers(count: $0, end: .failure($1), mutant: mutant) }
            .endless { MutatedNumbers(count: .max, mutant: mutant) }
    }

    private static func driven(_ mutant: Mutant?, _ promises: PublisherPromises) -> PublisherVerification {
        PublisherVerification.driven("driven", promises: promises.with { $0.subscribers = .one }) {
            MutatedRelay($0, mutant)
        }
    }

    private static func subscriber(_ mutant: Mutant?, _ promises: SubscriberPromises) -> SubscriberVerification {
        SubscriberVerification("subscriber", promises: promises) { publisher in
            let collector = MutatedCollector(mutant)
            publisher.subscribe(collector)
            return { collector.cancel() }
        }
    }
}
#endif
