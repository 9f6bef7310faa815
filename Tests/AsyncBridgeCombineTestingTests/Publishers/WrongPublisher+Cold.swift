// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import OpenCombineShim

extension WrongPublisher {
    static let cold = Self.withWrongOrder + Self.withWrongDemand + Self.withWrongEnds + Self.withWrongCancellation

    private static let withWrongOrder: [WrongPublisher] = [
        .numbers(
            .sendsBeforeTheSubscription,
            [
                (.rule(.subscriptionIsFirst), "it is subscribed to, and nothing is requested"),
                (.rule(.subscriptionIsFirst), "it is subscribed to and requested at once"),
            ]
        ),
        .numbers(
            .sendsNoSubscription,
            [(.rule(.subscriptionIsFirst), "it is subscribed to and requested at once")]
        ),
        .numbers(
            .subscribesTwice,
            [(.rule(.subscriptionIsSingle), "it is subscribed to, and nothing is requested")]
        ),
        .numbers(
            .swapsElements,
            [
                (.law(.order), "everything is requested"),
                (.rule(.subscribersAreServed), "two subscribe one after the other"),
            ]
        ),
        WrongPublisher(
            name: "takes one subscriber at a time",
            breaks: [
                (.rule(.subscribersAreServed), "two subscribe at the same time"),
                (.rule(.subscribersAreServed), "one subscribes another one inside receive(_:)"),
            ],
            verification: PublisherVerification("takes one at a time", promises: .wrong) { OneAtATime(Numbers($0)) }
        ),
        .numbers(.dropsAfterAPause, [(.law(.backPressure), "three are requested, then two, then the rest")]),
        .numbers(.repeatsAfterAPause, [(.law(.order), "three are requested, then two, then the rest")]),
        .numbers(
            .sharesOneRun,
            [
                (.rule(.subscribersAreServed), "two subscribe one after the other"),
                (.rule(.subscribersAreServed), "two subscribe at different paces"),
            ]
        ),
        .numbers(
            .stopsAllRunsTogether,
            [(.rule(.subscribersAreServed), "one of two subscribers cancels")]
        ),
        .numbers(
            .stopsAllRunsAtASecondCancel,
            [(.rule(.lateCancelIsNothing), "one of two subscribers cancels twice")]
        ),
        WrongPublisher(
            name: "its subscription holds it weakly",
            breaks: [(.law(.backPressure), "nobody keeps the publisher")],
            verification: PublisherVerification("weak", promises: .wrong) { HeldWeakly(base: Numbers($0)) }
        ),
        WrongPublisher(
            name: "each page subscribes to the next one inside its end",
            breaks: [
                (.rule(.recursionIsBounded), "very many are requested at once"),
                (.rule(.recursionIsBounded), "each of very many receive(_:) requests one more"),
            ],
            verification: PublisherVerification("pages", promises: .wrong) { Pages(count: $0) }
        ),
        .numbers(
            .sharesThatItIsSending,
            [
                (
                    .rule(.subscribersAreServed),
                    "one subscribes another one inside receive(_:), which requests all at once"
                )
            ]
        ),
        .numbers(
            .refusesInsideAnEnd,
            [(.rule(.subscribersAreServed), "one subscribes another one inside its end")]
        ),
        .numbers(
            .sendsOnEachThread,
            [
                (.rule(.signalsAreSerial), "another thread requests while receive(_:) runs"),
                (.rule(.signalsAreSerial), "four threads request at the same time"),
            ]
        ),
    ]

    private static let withWrongDemand: [WrongPublisher] = [
        .numbers(
            .ignoresDemand,
            [
                (.rule(.demandIsObeyed), "three are requested, then two, then the rest"),
                (.rule(.demandIsObeyed), "they are requested one by one"),
                (.rule(.demandIsObeyed), "what never ends is taken in part"),
            ]
        ),
        .numbers(
            .sendsOneTooMany,
            [
                (.rule(.demandIsObeyed), "three are requested, then two, then the rest"),
                (.rule(.demandIsObeyed), "requests inside receive(subscription:) add up"),
            ]
        ),
        .numbers(
            .overwritesDemand,
            [
                (.rule(.demandIsAdded), "requests inside receive(_:) add up"),
                (.rule(.demandIsAdded), "what receive(_:) returns adds up"),
            ]
        ),
        .numbers(
            .ignoresReturnedDemand,
            [(.rule(.demandIsAdded), "what receive(_:) returns adds up")]
        ),
        .numbers(
            .overflows,
            [
                (.rule(.demandIsUnbounded), "everything is requested, and then more"),
                (.rule(.demandIsUnbounded), "more than all numbers are requested"),
            ]
        ),
        .numbers(
            .countsInSixteenBits,
            promises: .wrong.with { $0.recursionCount = 70_000 },
            [(.rule(.demandIsAdded), "very many are requested at once")]
        ),
        .numbers(
            .stopsInTwoSteps,
            [(.rule(.demandIsAdded), "two threads request one element each, again and again")]
        ),
        .numbers(
            .sendsForZeroDemand,
            promises: .wrong.with { $0.takesZeroDemand = true },
            [(.rule(.demandIsObeyed), "none are requested")]
        ),
        .numbers(
            .recurses,
            [
                (.rule(.recursionIsBounded), "each receive(_:) requests one more"),
                (.rule(.recursionIsBounded), "each of very many receive(_:) requests one more"),
                (.rule(.recursionIsBounded), "each of many receive(_:) requests several more"),
            ]
        ),
        .numbers(
            .recursesOnReturnedDemand,
            [(.rule(.recursionIsBounded), "each receive(_:) returns demand for one more")]
        ),
    ]

    private static let withWrongEnds: [WrongPublisher] = [
        .numbers(
            .neverEnds,
            [
                (.rule(.finishIsSent), "everything is requested"), (.rule(.finishIsSent), "it has no elements"),
                (.rule(.failureIsSent), "it fails after some elements"),
            ]
        ),
        .numbers(.endsAfterAPause, [(.law(.backPressure), "three are requested, then two, then the rest")]),
        .numbers(
            .endsTwice,
            [
                (.rule(.endIsLast), "everything is requested"),
                (.rule(.endIsLast), "it is called again inside its end"),
            ]
        ),
        .numbers(.sendsAfterTheEnd, [(.rule(.endIsLast), "everything is requested")]),
        .numbers(
            .endsAgainWhenRequested,
            [
                (.rule(.endIsLast), "it is called again after its end"),
                (.rule(.endIsLast), "it is called again inside its end"),
            ]
        ),
        .numbers(
            .forgetsItsFailure,
            [
                (.rule(.failureIsSent), "it fails without an element"),
                (.rule(.failureIsSent), "it fails after some elements"),
            ]
        ),
        .numbers(
            .waitsForARequestToEnd,
            promises: .wrong.with { $0.finishesWithoutRequest = true },
            [(.rule(.finishIsSent), "they are requested one by one")]
        ),
        .numbers(
            .keepsTheSubscription,
            [(.rule(.cancelReleases), "it has ended, and the subscription is dropped")]
        ),
    ]

    private static let withWrongCancellation: [WrongPublisher] = [
        .numbers(
            .ignoresCancellation,
            [
                (.rule(.cancelEndsSignals), "it is cancelled inside receive(subscription:)"),
                (.rule(.lateRequestIsNothing), "it is cancelled before any request"),
                (.rule(.cancelEndsSignals), "it is cancelled between two requests"),
                (.rule(.cancelEndsSignals), "it is cancelled inside receive(_:)"),
                (.rule(.cancelEndsSignals), "what never ends is cancelled inside receive(_:)"),
                (.rule(.cancelStops), "what never ends is cancelled on another thread"),
            ]
        ),
        WrongPublisher(
            name: "subscribesAgainInCancel",
            breaks: [(.rule(.subscriptionIsSingle), "it is cancelled before any request")],
            verification: PublisherVerification("again", promises: .wrong) { _ in SubscribingAgain() }
        ),
        .numbers(.cancelsLate, [(.rule(.cancelEndsSignals), "it is cancelled inside receive(_:)")]),
        .numbers(.endsInCancel, [(.rule(.cancelEndsSignals), "it is cancelled before any request")]),
        .numbers(
            .endsAfterCancellation,
            [
                (.rule(.cancelEndsSignals), "it is cancelled inside receive(_:)"),
                (.rule(.cancelEndsSignals), "it is cancelled inside receive(_:) of its last element"),
            ]
        ),
        .numbers(
            .goesOnWhenRequestedAfterCancellation,
            [
                (.rule(.lateRequestIsNothing), "it is cancelled between two requests"),
                (.rule(.lateRequestIsNothing), "cancellation and the elements race"),
            ]
        ),
        .numbers(
            .sendsUnderItsLock,
            [
                (.rule(.signalsMayRequest), "requests inside receive(_:) add up"),
                (.rule(.signalsMayRequest), "it is cancelled inside receive(_:)"),
            ]
        ),
        .numbers(
            .sendsUnderALockPerThread,
            [
                (.rule(.requestIsPrompt), "another thread requests while receive(_:) runs"),
                (.rule(.cancelIsPrompt), "another thread cancels while receive(_:) runs"),
            ]
        ),
        .numbers(
            .waitsInCancel,
            [
                (.rule(.signalsMayRequest), "it is cancelled inside receive(_:)"),
                (.rule(.cancelIsPrompt), "another thread cancels while receive(_:) runs"),
            ]
        ),
        .numbers(
            .keepsTheSubscriber,
            [(.rule(.cancelReleases), "it is cancelled, and the subscription is kept")]
        ),
        .numbers(
            .keepsTheSubscriberWhileSending,
            [(.rule(.cancelReleases), "it is cancelled inside receive(_:), and the subscription is kept")]
        ),
        .numbers(.keepsTheSubscriberAfterItsEnd, [(.rule(.endCancels), "random histories are played")]),
        .numbers(.addsToUnlimited, [(.rule(.demandIsUnbounded), "random histories are played")]),
        .numbers(.countsUnlimited, [(.rule(.demandIsUnbounded), "random histories are played")]),
        .numbers(
            .keepsTheSubscriberForEver,
            [
                (.rule(.cancelReleases), "everything is requested"),
                (.rule(.cancelReleases), "it is cancelled, and the subscription is dropped"),
            ]
        ),
    ]
}

/// A publisher that sends its subscription at each cancellation, and nothing else.
private struct SubscribingAgain: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    /// Safe: what changes is changed under the lock.
    private final class Run: Subscription, @unchecked Sendable {
        private let lock = NSLock()
        private var subscriber: AnySubscriber<Int, SourceError>?

        init(_ subscriber: AnySubscriber<Int, SourceError>) { self.subscriber = subscriber }

        func request(_ demand: Subscribers.Demand) {}

        func cancel() { self.lock.withLock { self.subscriber }?.receive(subscription: self) }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        subscriber.receive(subscription: Run(AnySubscriber(subscriber)))
    }
}
#endif
