// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("Subscribers", .timeLimit(.minutes(10)))
struct SubscriberTests {
    @Test func `a right one obeys the rules`() async {
        expectNone(await SubscriberVerification.collector("Collector", promises: .right).check())
    }

    @Test(arguments: WrongSubscriber.all)
    func `a wrong one is caught`(_ wrong: WrongSubscriber) async {
        let verification = SubscriberVerification.collector("\(wrong.flaw)", promises: .wrong, wrong.flaw)
        let violations = await verification.check(only: Set(wrong.breaks.map(\.1)))
        for (rule, scenario) in wrong.breaks { expect(violations, name: .rule(rule), when: scenario) }
    }

    @Test func `every scenario catches some`() {
        let caught = Set(WrongSubscriber.all.flatMap { $0.breaks.map(\.1) })
        let names = SubscriberVerification.collector("", promises: .wrong).scenarioNames
        #expect(names.filter { !caught.contains($0) } == [])
        #expect(Set(names).count == names.count)
    }

    /// Without what OpenCombine's does wrong: see `OpenCombineFactTests`.
    @Test func sink() async {
        let verification = SubscriberVerification("sink", promises: .right) { publisher in
            let cancellable = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            return { cancellable.cancel() }
        }
        let names = Set(verification.scenarioNames).subtracting(["it cancels before its subscription comes"])
        expectNone(await verification.check(only: names))
    }
}

/// A subscriber with a mistake, and where the suite must find it.
struct WrongSubscriber: Sendable, CustomTestStringConvertible {
    let flaw: Collector.Flaw
    let breaks: [(ReactiveStreamsRule, String)]

    var testDescription: String { "\(self.flaw)" }

    init(_ flaw: Collector.Flaw, _ breaks: [(ReactiveStreamsRule, String)]) {
        self.flaw = flaw
        self.breaks = breaks
    }

    static let all = [
        WrongSubscriber(.requestsNothing, [(.demandIsSent, "elements come as they are requested")]),
        WrongSubscriber(.requestsOnce, [(.demandIsSent, "elements come as they are requested")]),
        WrongSubscriber(.takesTheSecondSubscription, [(.secondIsCancelled, "a second subscription comes")]),
        WrongSubscriber(.ignoresTheSecondSubscription, [(.secondIsCancelled, "a second subscription comes")]),
        WrongSubscriber(
            .cancelsAtTheEnd,
            [
                (.endCallsNothing, "the end comes without an element"),
                (.endCallsNothing, "elements and ends come after the end"),
            ]
        ),
        WrongSubscriber(.requestsAtTheEnd, [(.endCallsNothing, "a failure comes without an element")]),
        WrongSubscriber(.keepsTheSubscription, [(.endReleasesSubscription, "the end comes without an element")]),
        WrongSubscriber(.ignoresItsCancellation, [(.unneededIsCancelled, "it cancels")]),
        WrongSubscriber(
            .forgetsItsCancellation,
            [(.unneededIsCancelled, "it cancels before its subscription comes")]
        ),
        WrongSubscriber(
            .requestsAfterItsCancellation,
            [(.unneededIsCancelled, "elements and the end come after it has cancelled")]
        ),
        WrongSubscriber(
            .requestsUnderItsLock,
            [
                (.requestMaySend, "request(_:) sends elements before it returns"),
                (.requestMayEnd, "request(_:) sends the end before it returns"),
            ]
        ),
        WrongSubscriber(.cancelsUnderItsLock, [(.signalsReturn, "cancel() waits for the thread that sends")]),
        WrongSubscriber(
            .waitsForAnElementAtTheEnd,
            [
                (.earlyFinishIsSurvived, "the end comes without an element"),
                (.earlyFailureIsSurvived, "a failure comes without an element"),
                (.signalsReturn, "an end comes without a subscription"),
            ]
        ),
        WrongSubscriber(.waitsWhenThereIsTooMuch, [(.signalsReturn, "more elements come than are requested")]),
        WrongSubscriber(
            .waitsAfterItsCancellation,
            [(.lateElementsAreSurvived, "elements and the end come after it has cancelled")]
        ),
    ]
}

extension SubscriberVerification {
    static func collector(
        _ name: String,
        promises: SubscriberPromises,
        _ flaw: Collector.Flaw = .none
    ) -> SubscriberVerification {
        SubscriberVerification(name, promises: promises) { publisher in
            let collector = Collector(flaw: flaw)
            publisher.subscribe(collector)
            return { collector.cancel() }
        }
    }
}

extension SubscriberPromises {
    /// For right subscribers: they never wait for it.
    static var right: Self { Self.all.with { $0.patience = .seconds(30) } }

    /// For wrong subscribers: each hang waits for it.
    static var wrong: Self { Self.all.with { $0.patience = .milliseconds(300) } }
}
#endif
