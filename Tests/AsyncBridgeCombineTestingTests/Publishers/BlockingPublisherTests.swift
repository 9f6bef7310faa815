// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import OpenCombineShim
import Testing

// One after another: each leaves threads waiting until its gate is opened, and together they are hundreds.
@Suite("Publishers that block are named, and the suite comes to its end", .serialized, .timeLimit(.minutes(10)))
struct BlockingPublisherTests {
    @Test(arguments: BlockingPublisher.all)
    func `is named first`(_ wrong: BlockingPublisher) async throws {
        let gate = Monitor(false)
        let violations = await wrong.verification(Stop(place: wrong.place, gate: gate)).check()
        gate.open()
        let first = try #require(violations.first)
        #expect(first.rule == wrong.rule?.description, "\(violations)")
        #expect(first.law == wrong.rule?.law ?? .noBlocking, "\(violations)")
        #expect(first.scenario == wrong.scenario, "\(violations)")
        #expect(first.explanation.hasPrefix(wrong.explanation), "\(violations)")
        expectComplete(violations)
    }

    /// In a random history, too.
    @Test(arguments: BlockingPublisher.all.filter(\.isNamedInHistory))
    func `a history names the call`(_ wrong: BlockingPublisher) async throws {
        let gate = Monitor(false)
        let verification = wrong.verification(Stop(place: wrong.place, gate: gate))
        let scenario = wrong.isDriven ? "driven, random histories are played" : "random histories are played"
        let violations = await verification.seed(wrong.seed).check(only: [scenario])
        gate.open()
        let first = try #require(violations.first)
        #expect(first.rule == wrong.rule?.description, "\(violations)")
        #expect(first.explanation.hasPrefix(wrong.inHistory), "\(violations)")
        expectComplete(violations)
    }
}

/// A publisher that blocks a thread until a gate is opened.
struct BlockingPublisher: Sendable, CustomTestStringConvertible {
    let name: String
    let place: Stop.Place
    var isDriven = false
    /// The rule that is broken; `nil` if there is none but law 10.
    let rule: ReactiveStreamsRule?
    let scenario: String
    /// What the report must say of the call that blocks.
    let explanation: String
    /// What the report of a random history must say of it; empty if none is played.
    var inHistory = ""
    /// The first history: one in which the call is made outside the subscriber's methods, if that matters.
    var seed: UInt64 = 0

    var testDescription: String { self.name }

    var isNamedInHistory: Bool { !self.inHistory.isEmpty }

    func verification(_ stop: Stop) -> PublisherVerification {
        if !self.isDriven {
            return PublisherVerification(self.name, promises: .wrong) { Blocking(Numbers($0), stop) }
        }
        let promises = PublisherPromises.subject.with { $0.patience = .milliseconds(300) }
        return PublisherVerification.driven(self.name, promises: promises) { driver in
            let subject = PassthroughSubject<Int, SourceError>()
            driver.onEvent { event in
                switch event {
                case .element(let element):
                    stop.pass(.element)
                    subject.send(element)
                case .finished:
                    stop.pass(.end)
                    subject.send(completion: .finished)
                case .failed(let error): subject.send(completion: .failure(error))
                @unknown default: break
                }
            }
            return Blocking(subject, stop)
        }
    }

    static let all = Self.cold + Self.driven

    private static let cold = [
        BlockingPublisher(
            name: "while it is made",
            place: .making,
            rule: nil,
            scenario: "it is subscribed to, and nothing is requested",
            explanation: "expected the closure that makes the publisher to return, but it hangs",
            inHistory: "expected the closure that makes the publisher to return, but it hangs"
        ),
        BlockingPublisher(
            name: "in receive(subscriber:), before the subscription",
            place: .subscriberBefore,
            rule: .subscriptionIsFirst,
            scenario: "it is subscribed to, and nothing is requested",
            explanation: "expected receive(subscriber:) to return, but it hangs",
            inHistory: "expected receive(subscriber:) to return, but it hangs, when subscriber A subscribes"
        ),
        BlockingPublisher(
            name: "in receive(subscriber:), after the subscription",
            place: .subscriberAfter,
            rule: .subscriptionIsFirst,
            scenario: "it is subscribed to, and nothing is requested",
            explanation: "expected receive(subscriber:) to return, but it hangs",
            inHistory: "expected receive(subscriber:) to return, but it hangs, when subscriber A subscribes"
        ),
        BlockingPublisher(
            name: "in request(_:)",
            place: .request,
            rule: .requestReturns,
            scenario: "it is subscribed to, and nothing is requested",
            explanation: "expected request(_:) of another subscriber to return, but it hangs",
            inHistory: "expected request(_:) to return, but it hangs, when subscriber A requests 1",
            seed: 5
        ),
        BlockingPublisher(
            name: "in request(_:) inside receive(subscription:)",
            place: .requestInSubscription,
            rule: .signalsMayRequest,
            scenario: "it is subscribed to and requested at once",
            explanation: "expected request(_:) inside receive(subscription:) to return, but it hangs",
            inHistory: "expected request(_:) inside receive(subscription:) to return, but it hangs: it waits"
        ),
        BlockingPublisher(
            name: "in request(_:) inside receive(_:)",
            place: .requestInElement,
            rule: .signalsMayRequest,
            scenario: "requests inside receive(_:) add up",
            explanation: "expected request(_:) inside receive(_:) to return, but it hangs",
            inHistory: "expected request(_:) inside receive(_:) to return, but it hangs: it waits"
        ),
        BlockingPublisher(
            name: "in cancel()",
            place: .cancel,
            rule: .cancelReturns,
            scenario: "it is subscribed to, and nothing is requested",
            explanation: "expected cancel() to return, but it hangs",
            inHistory: "expected cancel() to return, but it hangs, when subscriber A cancels",
            seed: 2
        ),
        BlockingPublisher(
            name: "in cancel() inside receive(_:)",
            place: .cancelInElement,
            rule: .signalsMayRequest,
            scenario: "it is cancelled inside receive(_:)",
            explanation: "expected cancel() inside receive(_:) to return, but it hangs",
            inHistory: "expected cancel() inside receive(_:) to return, but it hangs: it waits"
        ),
        BlockingPublisher(
            name: "when it is released",
            place: .release,
            rule: nil,
            scenario: "it is subscribed to, and nothing is requested",
            explanation: "expected the release of the publisher to return, but it hangs",
            inHistory: "expected the release of the publisher to return, but it hangs, when the history is over"
        ),
    ]

    private static let driven = [
        BlockingPublisher(
            name: "driven, while it is made",
            place: .making,
            isDriven: true,
            rule: nil,
            scenario: "driven, the first two of three subscribers cancel",
            explanation: "expected the closure that makes the publisher to return, but it hangs",
            inHistory: "expected the closure that makes the publisher to return, but it hangs"
        ),
        BlockingPublisher(
            name: "driven, in receive(subscriber:)",
            place: .subscriberBefore,
            isDriven: true,
            rule: .subscriptionIsFirst,
            scenario: "driven, the first two of three subscribers cancel",
            explanation: "expected receive(subscriber:) to return, but it hangs"
        ),
        BlockingPublisher(
            name: "driven, in request(_:)",
            place: .request,
            isDriven: true,
            rule: .requestReturns,
            scenario: "driven, the first two of three subscribers cancel",
            explanation: "expected request(_:) to return, but it hangs"
        ),
        BlockingPublisher(
            name: "driven, in cancel()",
            place: .cancel,
            isDriven: true,
            rule: .cancelReturns,
            scenario: "driven, the first two of three subscribers cancel",
            explanation: "expected cancel() to return, but it hangs"
        ),
        BlockingPublisher(
            name: "driven, when the source sends",
            place: .element,
            isDriven: true,
            rule: nil,
            scenario: "driven, the first two of three subscribers cancel",
            explanation: "expected the source's element to be taken, but its call hangs",
            inHistory: "expected the source's element to be taken, but its call hangs, when the source sends"
        ),
        BlockingPublisher(
            name: "driven, when the source ends",
            place: .end,
            isDriven: true,
            rule: nil,
            scenario: "driven, the first two of three subscribers cancel",
            explanation: "expected the source's end to be taken, but its call hangs",
            inHistory: "expected the source's end to be taken, but its call hangs, when "
        ),
    ]
}
#endif
