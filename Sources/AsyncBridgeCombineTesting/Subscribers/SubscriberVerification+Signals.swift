// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization

// Rules 2.1 to 2.5, 2.9, 2.10, 2.13, 3.10 and 3.11: what comes is requested, and whatever comes is survived.
//
// At the end of each scenario it is looked at how the subscription was called.

extension SubscriberVerification {
    static let signals: [Scenario<SubscriberTrial>] = [
        Scenario("elements come as they are requested", .demandIsSent, if: \.requestsByItself) { trial in
            guard let publisher = await trial.connect() else { return }
            for element in 0..<20 {
                guard await trial.requested(moreThan: element) else { return }
                guard await trial.calls(.signalsReturn, "receive(_:)", { publisher.send(element) }) else { return }
            }
            await trial.calls(.signalsReturn, "receive(completion:)") { publisher.send(.finished) }
        },
        Scenario("ten thousand elements come as they are requested", .demandIsSent, if: \.requestsByItself) { trial in
            guard let publisher = await trial.connect() else { return }
            let sent = Atomic(0)
            while sent.load(ordering: .relaxed) < 10_000 {
                guard await trial.requested(moreThan: sent.load(ordering: .relaxed)) else { return }
                let isBack = await trial.calls(.signalsReturn, "receive(_:)") {
                    // Only this thread sends; a part of them, since each call may take as long as there is patience.
                    var element = sent.load(ordering: .relaxed)
                    let last = min(element + 1_000, 10_000)
                    while element < min(trial.record.value.requested, last) {
                        publisher.send(element)
                        element += 1
                    }
                    sent.store(element, ordering: .relaxed)
                }
                guard isBack else { return }
            }
            await trial.calls(.signalsReturn, "receive(completion:)") { publisher.send(.finished) }
        },
        Scenario("a second subscription comes", .secondIsCancelled) { trial in
            guard let publisher = await trial.connect() else { return }
            let second = Watched(SubscriberTrial.Record())
            let subscription = trial.makeSubscription(second)
            await trial.calls(.signalsReturn, "receive(subscription:)") { publisher.send(subscription) }
            await Self.expectCancellation(of: second, trial)
            await trial.calls(.signalsReturn, "receive(completion:)") { publisher.send(.finished) }
        },
        // Found: a subscriber that requests first, and then stores its subscription.
        Scenario("a second subscription comes inside request(_:)", .secondIsCancelled, if: \.requestsByItself) {
            trial in
            let second = Watched(SubscriberTrial.Record())
            let subscription = trial.makeSubscription(second)
            let isFirst = Atomic(true)
            let publisher = await trial.connect(isEager: false) { script, publisher in
                script.onRequest = {
                    guard isFirst.exchange(false, ordering: .relaxed) else { return }
                    publisher()?.send(subscription)
                }
            }
            guard let publisher else { return }
            await trial.calls(.signalsReturn, "receive(subscription:) inside request(_:)") {
                publisher.sendSubscription()
            }
            guard await trial.requested(moreThan: 0) else { return }
            await Self.expectCancellation(of: second, trial, advice: "store the subscription, then request")
            await trial.calls(.signalsReturn, "receive(completion:)") { publisher.send(.finished) }
        },
        Scenario("the end comes without an element", .earlyFinishIsSurvived) { trial in
            guard let publisher = await trial.connect() else { return }
            await trial.calls(.earlyFinishIsSurvived, "receive(completion:)") { publisher.send(.finished) }
        },
        Scenario("a failure comes without an element", .earlyFailureIsSurvived) { trial in
            guard let publisher = await trial.connect() else { return }
            let error = trial.stage.makeError()
            await trial.calls(.earlyFailureIsSurvived, "receive(completion:)") { publisher.send(.failure(error)) }
        },
        Scenario("request(_:) sends elements before it returns", .requestMaySend, if: \.requestsByItself) { trial in
            let next = Atomic(0)
            let publisher = await trial.connect(isEager: false) { script, publisher in
                script.onRequest = {
                    let element = next.add(1, ordering: .relaxed).oldValue
                    if element < 5 { publisher()?.send(element) }
                }
            }
            guard let publisher else { return }
            await trial.calls(.requestMaySend, "receive(_:) inside request(_:)") { publisher.sendSubscription() }
            guard await trial.requested(moreThan: 0) else { return }
            await trial.calls(.signalsReturn, "receive(completion:)") { publisher.send(.finished) }
        },
        Scenario("request(_:) sends the end before it returns", .requestMayEnd, if: \.requestsByItself) { trial in
            let isFirst = Atomic(true)
            let publisher = await trial.connect(isEager: false) { script, publisher in
                script.onRequest = {
                    guard isFirst.exchange(false, ordering: .relaxed) else { return }
                    publisher()?.send(.finished)
                }
            }
            guard let publisher else { return }
            await trial.calls(.requestMayEnd, "receive(completion:) inside request(_:)") {
                publisher.sendSubscription()
            }
        },
        Scenario("more elements come than are requested", .signalsReturn, if: \.survivesMisuse) { trial in
            guard let publisher = await trial.connect() else { return }
            await trial.calls(.signalsReturn, "receive(_:)") { for element in 0..<20 { publisher.send(element) } }
            await trial.calls(.signalsReturn, "receive(completion:)") { publisher.send(.finished) }
        },
        Scenario("elements and ends come after the end", .signalsReturn, if: \.survivesMisuse) { trial in
            guard let publisher = await trial.connect() else { return }
            let error = trial.stage.makeError()
            await trial.calls(.signalsReturn, "what comes after the end") {
                publisher.send(.finished)
                publisher.send(0)
                publisher.send(.failure(error))
                publisher.send(1)
            }
        },
        Scenario("an end comes without a subscription", .signalsReturn, if: \.survivesMisuse) { trial in
            guard let publisher = await trial.connect(isEager: false) else { return }
            await trial.calls(.signalsReturn, "receive(completion:)") { publisher.send(.finished) }
        },
    ]

    /// Expects that the second subscription is cancelled, and the first is not.
    private static func expectCancellation(
        of second: Watched<SubscriberTrial.Record>,
        _ trial: SubscriberTrial,
        advice: String? = nil
    ) async {
        if await !trial.stage.wait(for: second, until: { $0.cancels > 0 }) {
            trial.report.breach(
                of: .secondIsCancelled,
                "expected cancel() of the second subscription, but it was not called",
                advice: advice
            )
        }
        let (cancels, requested) = (trial.record.value.cancels, second.value.requested)
        guard cancels > 0 || requested > 0 else { return }
        trial.report.breach(
            of: .secondIsCancelled,
            "expected the first subscription to go on and nothing to be requested of the second, saw \(cancels) "
                + "cancellations of the first and a demand of \(requested) on the second",
            advice: advice
        )
    }
}
#endif
