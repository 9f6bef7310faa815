// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import OpenCombineShim

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
        // Takes chance.
        .relay(
            .stopsInTwoSteps,
            [(.rule(.demandIsAdded), "driven, two threads request one element each, again and again")]
        ),
        .relay(.endsUnderItsLock, [(.rule(.signalsMayRequest), "driven, it is called again inside its end")]),
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
        .relay(
            .endOvertakes,
            [(.rule(.signalsAreSerial), "driven, the end comes on another thread while receive(_:) runs")]
        ),
        .relay(.endsAgain, [(.rule(.endIsLast), "driven, the source goes on after its end")]),
        .relay(
            .neverEnds,
            [
                (.rule(.finishIsSent), "driven, the end comes before any request"),
                (.rule(.finishIsSent), "driven, everything is requested"),
                (.rule(.finishIsSent), "driven, many come at once"),
            ]
        ),
        .relay(.addsToUnlimited, [(.rule(.demandIsUnbounded), "driven, random histories are played")]),
        .relay(.countsUnlimited, [(.rule(.demandIsUnbounded), "driven, random histories are played")]),
        .relay(
            .keepsOneTooFew,
            promises: .wrong.with { $0.keptCount = 8 },
            [(.law(.backPressure), "driven, random histories are played")]
        ),
        .relay(.keepsTenThousand, [(.law(.backPressure), "driven, very many elements wait to be requested")]),
        .relay(.keepsTheLastTwentyThousand, [(.law(.backPressure), "driven, very many elements wait to be requested")]),
        WrongPublisher(
            name: "driven, keeps what it promises to drop",
            breaks: [(.law(.backPressure), "driven, more comes than is requested")],
            verification: .driven("keeps all", promises: .wrong.with { $0.unrequested = .dropped }) { Relay($0) }
        ),
        .relay(.discardsWhenItFails, [(.law(.backPressure), "driven, random histories are played")]),
        .relay(.nestedElementsOvertake, [(.law(.order), "driven, random histories are played")]),
        .relay(.busyThreadsRepeat, [(.law(.order), "driven, two threads send elements of their own")]),
        .relay(.busyThreadsOvertake, [(.law(.order), "driven, two threads send elements of their own")]),
        .relay(.keepsTheSubscriberAfterItsEnd, [(.rule(.endCancels), "driven, random histories are played")]),
        .relay(.keepsTheSubscriber, [(.rule(.cancelReleases), "driven, it is cancelled and the subscription is kept")]),
        WrongPublisher(
            name: "driven, tells its end only to those that were there",
            breaks: [(.rule(.finishIsSent), "driven, it is subscribed to after its end")],
            verification: .driven("tells its end once", promises: .wrong.with { $0.subscribers = .shared }) {
                SubjectWithWrongLateEnd($0, nil)
            }
        ),
        WrongPublisher(
            name: "driven, finishes for those that come after its failure",
            breaks: [(.rule(.failureIsSent), "driven, it is subscribed to after its failure")],
            verification: .driven("fails once", promises: .wrong.with { $0.subscribers = .shared }) {
                SubjectWithWrongLateEnd($0, .finished)
            }
        ),
        WrongPublisher(
            name: "driven, sends to those that have just been cancelled",
            breaks: [(.rule(.cancelEndsSignals), "driven, a subscriber cancels another one inside receive(_:)")],
            verification: .driven("sends to all it had", promises: .wrongSubject) { ListSubject($0, .sendsToAllItHad) }
        ),
        WrongPublisher(
            name: "driven, removes a subscriber by the place that it had",
            breaks: [(.rule(.subscribersAreServed), "driven, the first two of three subscribers cancel")],
            verification: .driven("removes by place", promises: .wrongSubject) { ListSubject($0, .removesByPlace) }
        ),
        .subject(.ignoresLateOnes, .subscribersAreServed, "driven, a subscriber comes after an element"),
        .subject(.copiesDemand, .demandIsObeyed, "driven, a subscriber comes after an element"),
        .subject(.replaysItsLast, .subscribersAreServed, "driven, a subscriber comes after an element"),
        .subject(.numbersByCount, .subscribersAreServed, "driven, a subscriber comes when another one has left"),
        .subject(
            .staysBusyAlone,
            .subscribersAreServed,
            "driven, the source goes on when all have left, and one more comes"
        ),
        .subject(
            .forgetsItsEndAlone,
            .finishIsSent,
            "driven, the source ends when all have left, and one more comes"
        ),
        .subject(.notesItsEndLate, .finishIsSent, "driven, one subscribes another one inside its end"),
        .subject(
            .walksItsList,
            .subscribersAreServed,
            "driven, one of three subscribers cancels inside receive(_:)"
        ),
        .relay(
            .knowsItsSubscriberLate,
            [(.law(.backPressure), "driven, the source sends inside receive(subscription:)")]
        ),
        WrongPublisher(
            name: "driven, its subscription holds it weakly",
            breaks: [(.law(.backPressure), "driven, nobody keeps the publisher")],
            verification: .driven("weak", promises: .wrong) { HeldWeakly(base: Relay($0)) }
        ),
        .subject(.endsAllItHad, .cancelEndsSignals, "driven, a subscriber cancels another one inside its end"),
        .subject(.keepsItsLastEnd, .finishIsSent, "driven, it is subscribed to after its end and a failure"),
        .subject(.addsInTwoSteps, .subscribersAreServed, "driven, two threads subscribe at the same time"),
        .subject(
            .removesInTwoSteps,
            .subscribersAreServed,
            "driven, one thread subscribes while another one cancels"
        ),
        .subject(
            .losesThoseThatComeInside,
            .subscribersAreServed,
            "driven, one subscribes another one inside receive(_:)"
        ),
    ]

    private static func subject(
        _ flaw: ListSubject.Flaw,
        _ rule: ReactiveStreamsRule,
        _ scenario: String
    ) -> WrongPublisher {
        WrongPublisher(
            name: "driven, \(flaw)",
            breaks: [(.rule(rule), scenario)],
            verification: .driven("\(flaw)", promises: .wrongSubject) { ListSubject($0, flaw) }
        )
    }
}

extension PublisherPromises {
    /// For wrong subjects.
    fileprivate static var wrongSubject: Self {
        Self.wrong.with {
            $0.subscribers = .shared
            $0.unrequested = .dropped
        }
    }
}

/// A subject, but for those that subscribe after its end: they get another end, or none.
///
/// Safe: the end comes on one thread, before anyone subscribes on another one.
private final class SubjectWithWrongLateEnd: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = SourceError

    private let subject = PassthroughSubject<Int, SourceError>()
    private let lateEnd: Subscribers.Completion<SourceError>?
    private var hasEnded = false

    init(_ driver: PublisherDriver, _ lateEnd: Subscribers.Completion<SourceError>?) {
        self.lateEnd = lateEnd
        driver.onEvent { event in
            switch event {
            case .element(let element): self.subject.send(element)
            case .finished: self.end(.finished)
            case .failed(let error): self.end(.failure(error))
            @unknown default: break
            }
        }
    }

    private func end(_ completion: Subscribers.Completion<SourceError>) {
        self.hasEnded = true
        self.subject.send(completion: completion)
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        if self.hasEnded {
            subscriber.receive(subscription: Subscriptions.empty)
            if let lateEnd = self.lateEnd { subscriber.receive(completion: lateEnd) }
        } else {
            self.subject.receive(subscriber: subscriber)
        }
    }
}
#endif
