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

    /// A cancellation that was decided on before an end inside `request(_:)` may come after it.
    @Test func `a right one that cancels on another thread obeys the rules`() async {
        expectNone(await SubscriberVerification.collector("mine", promises: .right, .cancelsOnAnotherThread).check())
    }

    @Test(arguments: WrongSubscriber.all)
    func `a wrong one is caught`(_ wrong: WrongSubscriber) async {
        let verification = SubscriberVerification.collector("\(wrong.flaw)", promises: .wrong, wrong.flaw)
        // Each on its own: after some hangs a check may leave out the others.
        for (broken, scenario) in wrong.breaks {
            var violations: [Violation] = []
            // A mistake that needs two threads at once does not show each time, on a busy machine.
            for _ in 0..<5 where !names(violations, broken, when: scenario) {
                violations += await verification.check(only: [scenario])
            }
            expect(violations, name: broken, when: scenario)
        }
    }

    @Test func `every scenario catches some`() {
        let caught = Set(WrongSubscriber.all.flatMap { $0.breaks.map(\.1) })
        let names = SubscriberVerification.collector("", promises: .wrong).scenarioNames
        #expect(names.filter { !caught.contains($0) } == [])
        #expect(Set(names).count == names.count)
    }

    /// No subscriber makes the whole suite hang.
    @Test(
        arguments: [
            Collector.Flaw.waitsForAnElementAtTheEnd, .waitsWhenThereIsTooMuch, .waitsAfterItsCancellation,
            .requestsUnderItsLock, .cancelsUnderItsLock, .waitsInEachMethod, .waitsWhenItIsReleased,
        ]
    )
    func `whole suite comes to its end`(_ flaw: Collector.Flaw) async {
        let violations = await SubscriberVerification.collector("\(flaw)", promises: .wrong, flaw).check()
        #expect(!violations.isEmpty)
        let notRun = Set(violations.flatMap(\.notRun))
        for wrong in WrongSubscriber.all where wrong.flaw == flaw {
            for (broken, scenario) in wrong.breaks where !notRun.contains(scenario) {
                expect(violations, name: broken, when: scenario)
            }
        }
    }

    @Test(arguments: RightSubscriber.all)
    func `OpenCombine's obeys the rules`(_ right: RightSubscriber) async {
        let violations = await right.verification.check()
        expectNone(
            violations.filter { !(right.mayCancelTwice && $0.description.contains("expected one cancel(), saw 2")) }
        )
    }

    /// One that fails is shown in a few steps, and its seed makes it the first.
    @Test(arguments: [Collector.Flaw.requestsTwentyOnce, .retainsItself, .requestsUnderItsLock])
    func `a failed history is short and can be played again`(_ flaw: Collector.Flaw) async throws {
        let verification = SubscriberVerification.collector("mine", promises: .wrong, flaw)
        let scenario = "random histories are played"
        let first = try #require(
            await RandomHistoryTests.shortest(4) { await verification.check(only: [scenario]) }
        )
        #expect((1...4).contains(first.steps.count), "\(first)")
        let seed = try #require(first.seed)
        #expect(first.description.contains("\n  To run it again: verification.seed(\(seed)).check()"))
        let again = try #require(await verification.seed(seed).check(only: [scenario]).first)
        RandomHistoryTests.expect(again, isLike: first)
    }
}

/// A subscriber of OpenCombine, or of Combine.
struct RightSubscriber: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let verification: SubscriberVerification

    /// Whether it cancels twice if another thread cancels while it ends: see `OpenCombineFactTests`.
    var mayCancelTwice: Bool { ["first", "prefix while"].contains(self.testDescription) }

    /// Without what OpenCombine's `sink` does wrong: see `OpenCombineFactTests`.
    private static let promises = SubscriberPromises.right.with { $0.cancelsEarly = false }

    /// Operators trap at signals that no publisher sends.
    private static let operators = Self.promises.with { $0.survivesMisuse = false }

    /// Operators that end the subscription when they have enough.
    private static let enough = Self.operators.with { $0.requestsByItself = false }

    init(
        _ name: String,
        _ promises: SubscriberPromises,
        _ subscribe: @escaping @Sendable (ScriptedPublisher) -> AnyCancellable
    ) {
        self.testDescription = name
        self.verification = SubscriberVerification(name, promises: promises) { publisher in
            let cancellable = subscribe(publisher)
            return { cancellable.cancel() }
        }
    }

    /// `sink` over an operator.
    private static func over<P: Publisher & SendableMetatype>(
        _ name: String,
        _ promises: SubscriberPromises = Self.operators,
        _ wrap: @escaping @Sendable (ScriptedPublisher) -> P
    ) -> RightSubscriber {
        RightSubscriber(name, promises) { wrap($0).sink(receiveCompletion: { _ in }, receiveValue: { _ in }) }
    }

    /// Elements are assigned to it.
    private final class Target { var last = 0 }

    static let all = [
        Self.over("sink", Self.promises) { $0 },
        RightSubscriber("assign", Self.operators) { $0.replaceError(with: 0).assign(to: \.last, on: Target()) },
        Self.over("map", Self.promises) { $0.map { $0 + 1 } },
        Self.over("filter") { $0.filter { $0.isMultiple(of: 2) } },
        Self.over("scan") { $0.scan(0, +) },
        Self.over("removeDuplicates") { $0.removeDuplicates() },
        Self.over("dropFirst") { $0.dropFirst(3) },
        Self.over("collect") { $0.collect() },
        Self.over("reduce") { $0.reduce(0, +) },
        Self.over("flatMap") { $0.flatMap(maxPublishers: .max(2)) { Just($0).setFailureType(to: SourceError.self) } },
        Self.over("switchToLatest") { $0.map { Just($0).setFailureType(to: SourceError.self) }.switchToLatest() },
        Self.over("catch") { $0.catch { Fail<Int, SourceError>(error: $0) } },
        Self.over("prefix", Self.enough) { $0.prefix(3) },
        Self.over("first", Self.enough) { $0.first() },
        Self.over("prefix while", Self.enough) { $0.prefix { $0 < 5 } },
    ]
}

/// A subscriber with a mistake, and where the suite must find it.
struct WrongSubscriber: Sendable, CustomTestStringConvertible {
    let flaw: Collector.Flaw
    let breaks: [(WrongPublisher.Broken, String)]

    var testDescription: String { "\(self.flaw)" }

    init(_ flaw: Collector.Flaw, _ breaks: [(ReactiveStreamsRule, String)]) {
        self.flaw = flaw
        self.breaks = breaks.map { (.rule($0), $1) }
    }

    /// One against what no rule says.
    init(_ flaw: Collector.Flaw, law: Law, _ scenario: String) {
        self.flaw = flaw
        self.breaks = [(.law(law), scenario)]
    }

    static let all = [
        WrongSubscriber(.requestsNothing, [(.demandIsSent, "elements come as they are requested")]),
        WrongSubscriber(.requestsOnce, [(.demandIsSent, "elements come as they are requested")]),
        WrongSubscriber(.takesTheSecondSubscription, [(.secondIsCancelled, "a second subscription comes")]),
        WrongSubscriber(.ignoresTheSecondSubscription, [(.secondIsCancelled, "a second subscription comes")]),
        WrongSubscriber(
            .looksAndThenStores,
            [(.unneededIsCancelled, "it cancels while its subscription comes")]
        ),
        WrongSubscriber(
            .requestsAndThenStores,
            [(.secondIsCancelled, "a second subscription comes inside request(_:)")]
        ),
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
        WrongSubscriber(.cancelsAndThenForgets, law: .cancellation, "it cancels again inside cancel()"),
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
        WrongSubscriber(
            .requestsNone,
            [
                (.demandIsPositive, "random histories are played"),
                (.demandIsPositive, "elements come as they are requested"),
            ]
        ),
        WrongSubscriber(.requestsTwentyOnce, [(.demandIsSent, "random histories are played")]),
        WrongSubscriber(.requestsAThousandOnce, [(.demandIsSent, "random histories are played")]),
        WrongSubscriber(.stopsAfterTwenty, [(.demandIsSent, "random histories are played")]),
        WrongSubscriber(.requestsNineOfTen, [(.demandIsSent, "ten thousand elements come as they are requested")]),
        WrongSubscriber(
            .holdsItsSubscriptionWeakly,
            law: .neverLost,
            "elements come as they are requested"
        ),
        WrongSubscriber(.requestsOnItsQueue, [(.endReleasesSubscription, "more elements come than are requested")]),
        WrongSubscriber(
            .forgetsThatItHasCancelled,
            [(.secondIsCancelled, "a second subscription comes after it has cancelled")]
        ),
        WrongSubscriber(.cancelsByItself, [(.demandIsSent, "random histories are played")]),
        WrongSubscriber(
            .requestsOnTwoThreads,
            [(.callsAreSerial, "request(_:) sends elements before it returns")]
        ),
        WrongSubscriber(.requestsWhenItCancels, [(.unneededIsCancelled, "random histories are played")]),
        WrongSubscriber(.retainsItself, law: .teardown, "random histories are played"),
        WrongSubscriber(.cancelsTheSecondTwice, law: .cancellation, "random histories are played"),
        WrongSubscriber(.cancelsTwice, law: .cancellation, "it cancels"),
        WrongSubscriber(.cancelsTwice, law: .cancellation, "random histories are played"),
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
    static var right: Self { Self.standard.with { $0.patience = .seconds(30) } }

    /// For wrong subscribers: each hang waits for it.
    static var wrong: Self { Self.standard.with { $0.patience = .milliseconds(300) } }
}
#endif
