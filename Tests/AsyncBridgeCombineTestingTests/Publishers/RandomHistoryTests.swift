// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Testing

@Suite("Random histories", .timeLimit(.minutes(10)))
struct RandomHistoryTests {
    private static let scenario = "driven, random histories are played"

    /// One that fails is shown in a few steps, and its seed makes it the first.
    @Test(arguments: [Relay.Flaw.nestedElementsOvertake, .addsToUnlimited, .discardsWhenItFails])
    func `a failure is short and can be played again`(_ flaw: Relay.Flaw) async throws {
        let verification = PublisherVerification.driven("mine", promises: .wrong) { Relay($0, flaw: flaw) }
        let first = try #require(await Self.shortest(7) { await verification.check(only: [Self.scenario]) })
        #expect(first.steps.first == "a driven publisher is made")
        #expect((2...7).contains(first.steps.count), "\(first)")
        let seed = try #require(first.seed)
        #expect(first.description.contains("\n  To run it again: verification.seed(\(seed)).check()"))
        let again = try #require(await verification.seed(seed).check(only: [Self.scenario]).first)
        Self.expect(again, isLike: first)
    }

    /// A publisher that knows its elements gets fewer of them, too.
    @Test(arguments: [Numbers.Flaw.addsToUnlimited, .keepsTheSubscriberAfterItsEnd])
    func `a failure of a cold publisher is short and can be played again`(_ flaw: Numbers.Flaw) async throws {
        let verification = PublisherVerification.numbers("mine", promises: .wrong, flaw: flaw)
        let scenario = "random histories are played"
        let first = try #require(await Self.shortest(5) { await verification.check(only: [scenario]) })
        #expect(first.steps.first?.hasPrefix("a publisher of ") == true)
        #expect((2...5).contains(first.steps.count), "\(first)")
        let seed = try #require(first.seed)
        #expect(first.description.contains("\n  To run it again: verification.seed(\(seed)).check()"))
        let again = try #require(await verification.seed(seed).check(only: [scenario]).first)
        Self.expect(again, isLike: first)
    }

    /// The first finding with so few steps: a busy machine cuts a search short, or makes a slow play look like a
    /// failure.
    static func shortest(_ count: Int, _ check: () async -> [Violation]) async -> Violation? {
        var found: Violation?
        for _ in 0..<5 where found.map({ $0.steps.count > count }) ?? true { found = await check().first ?? found }
        return found
    }

    /// The same mistake, found by the same history, which another search may have shortened further.
    static func expect(_ again: Violation, isLike first: Violation, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(again.rule == first.rule, sourceLocation: sourceLocation)
        #expect(again.law == first.law, sourceLocation: sourceLocation)
        #expect(again.seed == first.seed, sourceLocation: sourceLocation)
    }

    /// Other seeds are other histories: most find the mistake too.
    @Test func `any seed finds a mistake`() async {
        for seed in [1, 1 << 20, 1 << 40, UInt64.max] {
            let verification = PublisherVerification.driven("mine", promises: .wrong) {
                Relay($0, flaw: .nestedElementsOvertake)
            }
            let violations = await verification.seed(seed).check(only: [Self.scenario])
            #expect(violations.map(\.law) == [.order])
        }
    }
}
#endif
