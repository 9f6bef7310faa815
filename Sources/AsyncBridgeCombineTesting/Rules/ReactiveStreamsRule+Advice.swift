// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
extension ReactiveStreamsRule {
    /// What to do, or to look for, when the rule is broken.
    public var advice: String {
        switch self {
        case .demandIsObeyed:
            "count down the demand, under the lock, before each element, and stop at none"
        case .signalsAreSerial:
            "let one thread at a time deliver: it marks itself as the deliverer under the lock, and the others only "
                + "add to the demand or to the buffer, which it looks at again before it stops"
        case .failureIsSent: "send receive(completion: .failure(error)) with the source's own error"
        case .finishIsSent: "send receive(completion: .finished) after the last element, or at the next request"
        case .endCancels, .endIsLast:
            "take the subscriber out of the state, under the lock, before the end is sent, so that nothing finds it "
                + "afterwards"
        case .cancelEndsSignals, .cancelStops:
            "take the subscriber out of the state in cancel(), and look for it, under the lock, before each signal, "
                + "the end included"
        case .subscriptionIsFirst:
            "call receive(subscription:) first, once, and outside the subscription's initialiser; start the source "
                + "when it has returned, or at the first request"
        case .subscriptionIsSingle, .subscribersDiffer: "call receive(subscription:) once for each receive(subscriber:)"
        case .subscribersAreServed:
            "keep the state of a run, such as its iterator, in the subscription and not in the publisher; or promise "
                + "fewer subscribers"
        case .demandIsSent: "request as many elements as fit, at the latest when an element has been consumed"
        case .mayDispatch: "process elements on another queue"
        case .endCallsNothing, .endReleasesSubscription:
            "set the subscription to nil when the end comes, and call it neither then nor later"
        case .secondIsCancelled: "keep the first subscription and call cancel() of the second one"
        case .unneededIsCancelled:
            "call cancel() of the subscription when the user cancels, and keep 'cancelled' as a separate state: a "
                + "subscription that comes later is cancelled at once"
        case .callsAreSerial: "decide under the lock, and let one thread at a time call the subscription"
        case .lateElementsAreSurvived, .earlyFinishIsSurvived, .earlyFailureIsSurvived, .signalsReturn:
            "ignore signals that the state does not expect: no trap, no wait, no request"
        case .signalsHappenBefore: "hand elements on through a lock, a queue or an actor"
        case .callersAreSubscribers: "do not hand the subscription out"
        case .signalsMayRequest:
            "call the subscriber, or the subscription, without a lock: take out what is needed, unlock, then call"
        case .recursionIsBounded:
            "let request(_:) only add to the demand while receive(_:) runs, and deliver in one loop"
        case .requestIsPrompt, .cancelIsPrompt:
            "hold no lock during receive(_:) that request(_:) or cancel() takes, and wait for nothing in them"
        case .lateRequestIsNothing, .lateCancelIsNothing: "return at once when the subscriber is gone from the state"
        case .demandIsAdded:
            "add each request and each demand that receive(_:) returns to what is left, demand += more; and send when "
                + "an element comes as well as when one is requested"
        case .demandIsPositive: "do nothing when no demand is added"
        case .requestMaySend, .requestMayEnd: "expect signals before request(_:) has returned"
        case .cancelReleases:
            "set the reference to the subscriber to nil in cancel(), and release everything that holds it, such as "
                + "a task or a closure"
        case .mayEndEarly, .cancelMayShutDown: "nothing: this is allowed"
        case .cancelReturns, .requestReturns:
            "do not wait in request(_:) and cancel(), and deliver only what is requested"
        case .demandIsUnbounded:
            "keep the demand as Subscribers.Demand, whose + stops at .unlimited; as a number it overflows or is used up"
        }
    }
}
#endif
