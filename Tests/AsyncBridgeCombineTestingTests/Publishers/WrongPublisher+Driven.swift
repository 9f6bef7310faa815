// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting

extension WrongPublisher {
    static let driven: [WrongPublisher] = [
        .relay(.dropsUnrequested, [(.law(.backPressure), "driven, more comes than is requested")]),
        .relay(.sendsUnrequested, [(.rule(.demandIsObeyed), "driven, more comes than is requested")]),
        .relay(.sendsOnEachThread, [(.rule(.signalsAreSerial), "driven, two threads send at the same time")]),
        .relay(
            .sendsUnderItsLock,
            [
                (.rule(.cancelIsPrompt), "driven, another thread cancels while receive(_:) runs"),
                (.rule(.requestIsPrompt), "driven, another thread requests while receive(_:) runs"),
            ]
        ),
        .relay(
            .forgetsItsBufferAtTheEnd,
            [(.law(.backPressure), "driven, the end comes before the last request")]
        ),
        .relay(.keepsOneElement, [(.law(.backPressure), "driven, more comes than is requested")]),
        .relay(.losesWakeUps, [(.rule(.finishIsSent), "driven, more comes than is requested")]),
        .relay(
            .ignoresCancellation,
            [
                (.rule(.cancelEndsSignals), "driven, it is cancelled and the source goes on"),
                (.rule(.cancelEndsSignals), "driven, it is cancelled inside receive(_:)"),
            ]
        ),
        .relay(
            .endsAfterCancellation,
            [
                (.rule(.cancelEndsSignals), "driven, it is cancelled and the source goes on")
            ]
        ),
        .relay(.endsInCancel, [(.rule(.cancelEndsSignals), "driven, cancellation and the end race")]),
        .relay(.finishesInsteadOfFailing, [(.rule(.failureIsSent), "driven, the source fails")]),
        .relay(.endsAgain, [(.rule(.endIsLast), "driven, the source goes on after its end")]),
        .relay(
            .neverEnds,
            [
                (.rule(.finishIsSent), "driven, the end comes before any request"),
                (.rule(.finishIsSent), "driven, everything is requested"),
                (.rule(.finishIsSent), "driven, many come at once"),
            ]
        ),
        .relay(.keepsTheSubscriber, [(.rule(.cancelReleases), "driven, it is cancelled and the subscription is kept")]),
    ]
}
#endif
