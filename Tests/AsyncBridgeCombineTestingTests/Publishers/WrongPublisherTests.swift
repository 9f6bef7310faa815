// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Testing

@Suite("Wrong publishers are caught", .timeLimit(.minutes(10)))
struct WrongPublisherTests {
    @Test(arguments: WrongPublisher.all)
    func `is caught`(_ wrong: WrongPublisher) async {
        var violations: [Violation] = []
        // A mistake that needs two threads at once does not show each time, on a busy machine.
        for _ in 0..<10 {
            violations += await wrong.verification.check(only: Set(wrong.breaks.map(\.1)))
            if wrong.breaks.allSatisfy({ names(violations, $0, when: $1) }) { break }
        }
        for (broken, scenario) in wrong.breaks { expect(violations, name: broken, when: scenario) }
    }

    @Test func `every scenario catches some`() {
        let caught = Set(WrongPublisher.all.flatMap { $0.breaks.map(\.1) })
        let promises = PublisherPromises.wrong.with { $0.takesZeroDemand = true }
        let names = PublisherVerification.numbers("all", promises: promises).driven { Relay($0) }.scenarioNames
        #expect(names.filter { !caught.contains($0) } == [])
        #expect(Set(names).count == names.count)
    }

    /// No publisher makes the whole suite hang or trap.
    @Test(
        arguments: WrongPublisher.cold.filter {
            [
                "sendsNoSubscription", "ignoresDemand", "neverEnds", "sendsUnderItsLock", "ignoresCancellation",
                "waitsInCancel", "keepsTheSubscriberForEver", "recurses", "sendsAfterTheEnd",
            ].contains($0.name)
        }
    )
    func `whole suite comes to its end`(_ wrong: WrongPublisher) async {
        let violations = await wrong.verification.check()
        #expect(!violations.isEmpty)
        let notRun = Set(violations.flatMap(\.notRun))
        for (broken, scenario) in wrong.breaks where !notRun.contains(scenario) {
            expect(violations, name: broken, when: scenario)
        }
    }

    /// What the scenario says of elements that are kept would be the opposite of what is promised.
    @Test func `what to do depends on the promise`() async throws {
        for (promise, word) in [(PublisherPromises.Unrequested.dropped, "drop "), (.kept, "keep ")] {
            let verification = PublisherVerification.driven("mine", promises: .wrong.with { $0.unrequested = promise })
            {
                Relay($0, flaw: promise == .kept ? .dropsUnrequested : .none)
            }
            let violations = await verification.check(only: ["driven, more comes than is requested"])
            #expect(violations.first?.advice.hasPrefix(word) == true, "\(violations)")
        }
    }

    @Test func `a violation tells everything`() async throws {
        let line: UInt = #line + 1
        let verification = PublisherVerification("mine", promises: .wrong) { Numbers($0, flaw: .sendsOneTooMany) }
        let violations = await verification.check(only: ["requests inside receive(subscription:) add up"])
        #expect(
            violations.first?.description
                == "mine, when requests inside receive(subscription:) add up, breaks Reactive Streams 1.1 (no more "
                + "elements than requested), which is law 7 (back-pressure is explicit): expected no more elements "
                + "than requested, saw one more than 3. What to do: "
                + "\(ReactiveStreamsRule.demandIsObeyed.advice)."
                + "\n  Not promised, so not tested: recursionCount = 100000\n  Made at \(#fileID):\(line)"
        )
    }
}
#endif
