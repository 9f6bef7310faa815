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
        let first = try #require(await verification.check(only: [Self.scenario]).first)
        #expect(first.steps.first == "a driven publisher is made")
        #expect((2...7).contains(first.steps.count), "\(first)")
        let seed = try #require(first.seed)
        #expect(first.description.contains("\n  To run it again: verification.seed(\(seed)).check()"))
        let again = try #require(await verification.seed(seed).check(only: [Self.scenario]).first)
        #expect(again == first)
    }

    /// A publisher that knows its elements gets fewer of them, too.
    @Test(arguments: [Numbers.Flaw.addsToUnlimited, .keepsTheSubscriberAfterItsEnd])
    func `a failure of a cold publisher is short and can be played again`(_ flaw: Numbers.Flaw) async throws {
        let verification = PublisherVerification.numbers("mine", promises: .wrong, flaw: flaw)
        let scenario = "random histories are played"
        let first = try #require(await verification.check(only: [scenario]).first)
        #expect(first.steps.first?.hasPrefix("a publisher of ") == true)
        #expect((2...5).contains(first.steps.count), "\(first)")
        let seed = try #require(first.seed)
        #expect(first.description.contains("\n  To run it again: verification.seed(\(seed)).check()"))
        let again = try #require(await verification.seed(seed).check(only: [scenario]).first)
        #expect(again == first)
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
