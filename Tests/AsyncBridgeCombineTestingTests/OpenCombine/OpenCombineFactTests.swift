// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Facts about OpenCombine 0.14, not about Combine.
#if Combine && !canImport(Combine)
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import OpenCombineShim
import Testing

/// Rules that OpenCombine's own publishers and subscribers break.
///
/// Only what happens each time: for a release that mends one of them, this test says so.
@Suite("What OpenCombine breaks", .timeLimit(.minutes(10)))
struct OpenCombineFactTests {
    @Test(arguments: Self.facts)
    func `is broken`(_ fact: WrongPublisher) async {
        let violations = await fact.verification.check(only: Set(fact.breaks.map(\.1)))
        for (broken, scenario) in fact.breaks { expect(violations, name: broken, when: scenario) }
    }

    /// A cancellation that comes before the subscription is forgotten.
    @Test func `sink forgets an early cancellation`() async {
        let verification = SubscriberVerification("sink", promises: .wrong) { publisher in
            let cancellable = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            return { cancellable.cancel() }
        }
        let scenario = "it cancels before its subscription comes"
        expect(await verification.check(only: [scenario]), name: .rule(.unneededIsCancelled), when: scenario)
    }

    /// It counts cancellations, not subscribers; all else is right.
    @Test func `share stops for all when one cancels twice`() async {
        let promises = PublisherPromises.wrong.with {
            $0.subscribers = .shared
            $0.unrequested = .dropped
        }
        let verification = PublisherVerification.driven("share", promises: promises) { driver in
            PassthroughSubject.driven(by: driver).share()
        }
        let violations = await verification.check()
        let scenario = "driven, one of two subscribers cancels twice"
        expect(violations, name: .rule(.lateCancelIsNothing), when: scenario)
        #expect(violations.count == 1, "\(violations)")
    }

    /// The end counts as the last subscriber's cancellation.
    @Test func `share cancels at the end`() async {
        let promises = SubscriberPromises.wrong.with { $0.cancelsEarly = false }
        let verification = SubscriberVerification("share", promises: promises) { publisher in
            let cancellable = publisher.share().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            return { cancellable.cancel() }
        }
        let scenarios = ["the end comes without an element", "random histories are played"]
        let violations = await verification.check(only: Set(scenarios))
        for scenario in scenarios { expect(violations, name: .rule(.endCallsNothing), when: scenario) }
    }

    /// It requests more when it has got its end inside `request(_:)`.
    @Test func `buffer requests after its end`() async {
        let verification = SubscriberVerification("buffer", promises: .wrong.with { $0.cancelsEarly = false }) {
            let cancellable = $0.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest)
                .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            return { cancellable.cancel() }
        }
        let scenario = "random histories are played"
        expect(await verification.check(only: [scenario]), name: .rule(.endReleasesSubscription), when: scenario)
    }

    /// An operator that has enough cancels without looking whether somebody has cancelled meanwhile: here its closure,
    /// but it may be another thread.
    @Test func `first cancels twice`() {
        let publisher = ElementByHand()
        var cancellable: AnyCancellable?
        cancellable =
            publisher
            .first { _ in
                cancellable?.cancel()
                return true
            }
            .sink { _ in }
        publisher.send(1)
        #expect(publisher.cancellations == 2)
    }

    private static let facts = Self.sources + Self.operators

    /// Cancelled by the last element, they send the end.
    private static let sources = [
        Self.fact("Just", Self.one, Self.endAfterCancellation) { _ in Just(0) },
        Self.fact("Future", Self.one, Self.endAfterCancellation) { _ in Future<Int, Never> { $0(.success(0)) } },
        Self.fact("Sequence", Self.many, Self.endAfterCancellation) { (0..<$0).publisher },
        Self.fact("Record", Self.many, Self.endAfterCancellation) {
            Record<Int, Never>(output: Array(0..<$0), completion: .finished)
        },
    ]

    private static let operators = [
        Self.fact("tryMap", Self.many, Self.keptSubscriber) { Numbers($0).tryMap { $0 } },
        Self.fact("prefix", Self.many, Self.keptSubscriber) { Numbers(.max).prefix($0) },
        Self.fact("removeDuplicates", Self.many, Self.keptSubscriber) { Numbers($0).removeDuplicates() },
        Self.fact("handleEvents", Self.many, Self.keptSubscriber) { Numbers($0).handleEvents() },
        Self.fact("switchToLatest", Self.many, Self.keptSubscriber) { count in
            Just(0).setFailureType(to: SourceError.self).map { _ in Numbers(count) }.switchToLatest()
        },
        Self.fact(
            "dropFirst",
            Self.many,
            [(.rule(.cancelEndsSignals), "it is cancelled inside receive(subscription:)")]
        ) {
            Numbers($0 + 2).dropFirst(2).map { $0 - 2 }
        },
        Self.fact(
            "replaceEmpty",
            Self.many,
            [(.rule(.demandIsObeyed), "three are requested, then two, then the rest")]
        ) {
            Numbers($0).replaceEmpty(with: 0)
        },
        Self.fact("reduce", Self.one, [(.rule(.lateRequestIsNothing), "it is cancelled before any request")]) { _ in
            Numbers(5).reduce(0) { first, _ in first }
        },
        Self.fact("flatMap", Self.many, [(.rule(.cancelEndsSignals), "it is cancelled inside receive(_:)")]) { count in
            Numbers(count).flatMap(maxPublishers: .max(1)) { Just($0).setFailureType(to: SourceError.self) }
        },
        Self.fact(
            "flatMap, of one",
            Self.many,
            [(.rule(.demandIsUnbounded), "more than all numbers are requested")]
        ) { count in
            Just(0).setFailureType(to: SourceError.self).flatMap { _ in Numbers(count) }
        },
        Self.fact("buffer", Self.many, [(.rule(.cancelEndsSignals), "it is cancelled inside receive(_:)")]) {
            Numbers($0).buffer(size: 2_000, prefetch: .keepFull, whenFull: .dropNewest)
        },
        // What the slowest of its subscribers has not requested is dropped.
        Self.fact("share", Self.many, [(.law(.backPressure), "three are requested, then two, then the rest")]) {
            Numbers($0).share()
        },
    ]

    private static let one = PublisherPromises.wrong.with { $0.counts = 1...1 }

    private static let many = PublisherPromises.wrong.with { $0.counts = 1...1_000 }

    private static let endAfterCancellation: [(WrongPublisher.Broken, String)] = [
        (.rule(.cancelEndsSignals), "it is cancelled inside receive(_:) of its last element")
    ]

    private static let keptSubscriber: [(WrongPublisher.Broken, String)] = [
        (.rule(.cancelReleases), "it is cancelled, and the subscription is kept")
    ]

    private static func fact<P: Publisher & SendableMetatype>(
        _ name: String,
        _ promises: PublisherPromises,
        _ breaks: [(WrongPublisher.Broken, String)],
        _ make: @escaping @Sendable (Int) -> P
    ) -> WrongPublisher where P.Output == Int {
        let verification = PublisherVerification(name, promises: promises, elements: make)
        return WrongPublisher(name: name, breaks: breaks, verification: verification)
    }
}

/// Sends what a test wants, and counts cancellations.
private final class ElementByHand: Publisher, Subscription {
    typealias Output = Int
    typealias Failure = Never

    private var subscriber: AnySubscriber<Int, Never>?
    private(set) var cancellations = 0

    func receive<S: Subscriber<Int, Never>>(subscriber: S) {
        self.subscriber = AnySubscriber(subscriber)
        subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() { self.cancellations += 1 }

    func send(_ element: Int) { _ = self.subscriber?.receive(element) }
}
#endif
