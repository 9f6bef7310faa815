// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine

/// One of the rules of Reactive Streams 1.0.4 for publishers (1), subscribers (2) and subscriptions (3).
///
/// A violation names its rule: compare its `rule` with a rule's ``description``. The article <doc:RulesAndScenarios>
/// says which scenario checks which rule, and why some are not checked.
@nonexhaustive
public enum ReactiveStreamsRule: String, CaseIterable, Sendable {
    /// A publisher sends no more elements than were requested.
    case demandIsObeyed = "1.1"
    /// A publisher may send fewer elements than requested and end.
    case mayEndEarly = "1.2"
    /// A publisher sends one signal at a time.
    case signalsAreSerial = "1.3"
    /// A publisher that fails sends the failure.
    case failureIsSent = "1.4"
    /// A publisher that has sent its last element sends the end.
    case finishIsSent = "1.5"
    /// A subscription that has ended counts as cancelled.
    case endCancels = "1.6"
    /// Nothing comes after the end.
    case endIsLast = "1.7"
    /// Nothing comes after the cancellation.
    case cancelEndsSignals = "1.8"
    /// The subscription comes before everything else.
    case subscriptionIsFirst = "1.9"
    /// A subscriber subscribes once.
    case subscribersDiffer = "1.10"
    /// A publisher decides whether it has several subscribers.
    case subscribersAreServed = "1.11"

    /// A subscriber requests the elements that it wants.
    case demandIsSent = "2.1"
    /// A subscriber that takes its time processes its elements elsewhere.
    case mayDispatch = "2.2"
    /// A subscriber does not call the subscription when it gets the end.
    case endCallsNothing = "2.3"
    /// A subscriber treats the subscription as cancelled after the end.
    case endReleasesSubscription = "2.4"
    /// A subscriber cancels a second subscription.
    case secondIsCancelled = "2.5"
    /// A subscriber cancels a subscription that it does not need any more.
    case unneededIsCancelled = "2.6"
    /// A subscriber makes one call of the subscription at a time.
    case callsAreSerial = "2.7"
    /// A subscriber survives elements after it has cancelled.
    case lateElementsAreSurvived = "2.8"
    /// A subscriber survives an end before it has requested anything.
    case earlyFinishIsSurvived = "2.9"
    /// A subscriber survives a failure before it has requested anything.
    case earlyFailureIsSurvived = "2.10"
    /// A subscriber's processing comes after the signal, even on another thread.
    case signalsHappenBefore = "2.11"
    /// A subscriber gets one subscription.
    case subscriptionIsSingle = "2.12"
    /// A subscriber's methods return.
    case signalsReturn = "2.13"

    /// The subscription is called by its subscriber.
    case callersAreSubscribers = "3.1"
    /// The subscription can be called inside the subscriber's methods.
    case signalsMayRequest = "3.2"
    /// Elements that are requested inside `receive(_:)` do not make the stack grow without bound.
    case recursionIsBounded = "3.3"
    /// `request(_:)` does not block its caller.
    case requestIsPrompt = "3.4"
    /// `cancel()` does not block its caller.
    case cancelIsPrompt = "3.5"
    /// `request(_:)` does nothing after the cancellation.
    case lateRequestIsNothing = "3.6"
    /// `cancel()` does nothing after the cancellation.
    case lateCancelIsNothing = "3.7"
    /// Each request adds to the demand.
    case demandIsAdded = "3.8"
    /// A request is for at least one element.
    case demandIsPositive = "3.9"
    /// `request(_:)` may send elements before it returns.
    case requestMaySend = "3.10"
    /// `request(_:)` may end the subscription before it returns.
    case requestMayEnd = "3.11"
    /// `cancel()` makes the publisher stop.
    case cancelStops = "3.12"
    /// `cancel()` makes the publisher release the subscriber.
    case cancelReleases = "3.13"
    /// `cancel()` may shut down a publisher without other subscribers.
    case cancelMayShutDown = "3.14"
    /// `cancel()` returns.
    case cancelReturns = "3.15"
    /// `request(_:)` returns.
    case requestReturns = "3.16"
    /// Demand has no upper bound.
    case demandIsUnbounded = "3.17"

    /// The number of the rule, such as "1.1".
    public var number: String { self.rawValue }
}

extension ReactiveStreamsRule: CustomStringConvertible {
    /// The name of the specification, the number and the rule in a few words.
    public var description: String { "Reactive Streams \(self.number) (\(self.name))" }
}
#endif
