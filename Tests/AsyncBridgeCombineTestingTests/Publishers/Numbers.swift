// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim

/// A cold publisher of the numbers from 0, written by hand, right but for the flaw that it is given.
struct Numbers: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    enum Flaw: Sendable {
        case none
        case sendsBeforeTheSubscription
        case sendsNoSubscription
        case subscribesTwice
        case ignoresDemand
        case sendsOneTooMany
        case dropsAfterAPause
        case repeatsAfterAPause
        case swapsElements
        case endsAfterAPause
        case neverEnds
        case endsTwice
        case sendsAfterTheEnd
        case forgetsItsFailure
        case overwritesDemand
        case ignoresReturnedDemand
        case overflows
        case recurses
        case recursesOnReturnedDemand
        case sendsOnEachThread
        case sendsUnderItsLock
        case sendsUnderALockPerThread
        case ignoresCancellation
        case endsInCancel
        case endsAfterCancellation
        case cancelsLate
        case goesOnWhenRequestedAfterCancellation
        case waitsInCancel
        case keepsTheSubscriber
        case keepsTheSubscriberForEver
        case keepsTheSubscription
        case sharesOneRun
        case sendsForZeroDemand
        case countsInSixteenBits
        case stopsInTwoSteps
        case stopsAllRunsTogether
        case endsAgainWhenRequested
        case waitsForARequestToEnd
        case keepsTheSubscriberWhileSending
        case keepsTheSubscriberAfterItsEnd
        case addsToUnlimited
        case countsUnlimited
        case stopsAllRunsAtASecondCancel
        case sharesThatItIsSending
        case refusesInsideAnEnd
    }

    let count: Int
    var error: SourceError?
    let flaw: Flaw
    let shared = NumbersSubscription.Shared()

    init(_ count: Int, error: SourceError? = nil, flaw: Flaw = .none) {
        self.count = count
        self.error = error
        self.flaw = flaw
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let downstream = AnySubscriber(subscriber)
        if self.shared.isEnding {
            downstream.receive(subscription: Subscriptions.empty)
            return downstream.receive(completion: .finished)
        }
        let subscription = NumbersSubscription(downstream, self)
        if self.flaw == .keepsTheSubscription { self.shared.kept.append(subscription) }
        switch self.flaw {
        case .sendsBeforeTheSubscription:
            _ = subscriber.receive(0)
            subscriber.receive(subscription: subscription)
        case .sendsNoSubscription: subscription.request(.unlimited)
        case .subscribesTwice:
            subscriber.receive(subscription: subscription)
            subscriber.receive(subscription: Subscriptions.empty)
        default: subscriber.receive(subscription: subscription)
        }
    }
}
#endif
