// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridgeTesting

extension ReactiveStreamsRule {
    /// The rule in a few words.
    public var name: String {
        switch self {
        case .demandIsObeyed: "no more elements than requested"
        case .mayEndEarly: "fewer elements than requested are right"
        case .signalsAreSerial: "one signal at a time"
        case .failureIsSent: "a failure is sent"
        case .finishIsSent: "the end is sent"
        case .endCancels: "the end counts as cancellation"
        case .endIsLast: "nothing after the end"
        case .cancelEndsSignals: "nothing after the cancellation"
        case .subscriptionIsFirst: "the subscription comes first"
        case .subscribersDiffer: "each subscriber subscribes once"
        case .subscribersAreServed: "several subscribers, or one"
        case .demandIsSent: "demand is sent"
        case .mayDispatch: "slow work goes elsewhere"
        case .endCallsNothing: "no call of the subscription inside the end"
        case .endReleasesSubscription: "the end counts as cancellation for the subscriber"
        case .secondIsCancelled: "a second subscription is cancelled"
        case .unneededIsCancelled: "what is not needed is cancelled"
        case .callsAreSerial: "one call of the subscription at a time"
        case .lateElementsAreSurvived: "elements after the cancellation are survived"
        case .earlyFinishIsSurvived: "an end without a request is survived"
        case .earlyFailureIsSurvived: "a failure without a request is survived"
        case .signalsHappenBefore: "signals happen before their processing"
        case .subscriptionIsSingle: "one subscription for each subscriber"
        case .signalsReturn: "the subscriber's methods return"
        case .callersAreSubscribers: "only the subscriber calls the subscription"
        case .signalsMayRequest: "calls inside the subscriber's methods work"
        case .recursionIsBounded: "recursion is bounded"
        case .requestIsPrompt: "request(_:) does not block its caller"
        case .cancelIsPrompt: "cancel() does not block its caller"
        case .lateRequestIsNothing: "request(_:) after the cancellation does nothing"
        case .lateCancelIsNothing: "cancel() after the cancellation does nothing"
        case .demandIsAdded: "each request adds to the demand"
        case .demandIsPositive: "demand is positive"
        case .requestMaySend: "request(_:) may send elements"
        case .requestMayEnd: "request(_:) may send the end"
        case .cancelStops: "cancel() stops the publisher"
        case .cancelReleases: "cancel() releases the subscriber"
        case .cancelMayShutDown: "cancel() may shut the publisher down"
        case .cancelReturns: "cancel() returns"
        case .requestReturns: "request(_:) returns"
        case .demandIsUnbounded: "demand is unbounded"
        }
    }

    /// The law of this package that the rule expresses for publishers.
    public var law: Law {
        switch self {
        case .demandIsObeyed, .mayEndEarly, .demandIsSent, .recursionIsBounded, .demandIsAdded, .demandIsPositive,
            .requestMaySend, .demandIsUnbounded:
            .backPressure
        case .signalsAreSerial, .subscriptionIsFirst, .callsAreSerial, .signalsHappenBefore: .order
        case .failureIsSent: .errors
        case .finishIsSent, .subscribersAreServed, .signalsReturn: .neverLost
        case .endCancels, .endIsLast, .subscribersDiffer, .endCallsNothing, .secondIsCancelled, .earlyFinishIsSurvived,
            .earlyFailureIsSurvived, .subscriptionIsSingle, .requestMayEnd:
            .once
        case .cancelEndsSignals, .unneededIsCancelled, .lateElementsAreSurvived, .callersAreSubscribers,
            .lateRequestIsNothing, .lateCancelIsNothing, .cancelStops:
            .cancellation
        case .endReleasesSubscription, .cancelReleases, .cancelMayShutDown: .teardown
        case .requestIsPrompt, .cancelIsPrompt, .signalsMayRequest: .noLocks
        case .mayDispatch, .cancelReturns, .requestReturns: .noBlocking
        }
    }
}
#endif
