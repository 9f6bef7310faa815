// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import OpenCombineShim
import Synchronization

// Rules 2.6 and 2.8: what is not needed is cancelled, and what comes afterwards is survived.

extension SubscriberVerification {
    static let cancellation: [Scenario<SubscriberTrial>] = [
        Scenario("it cancels", .unneededIsCancelled, if: \.cancels) { trial in
            guard await trial.connect() != nil else { return }
            await trial.cancel()
            await trial.cancelled("of the subscription")
        },
        // Found: a subscriber that cancels its subscription first, and forgets it afterwards.
        Scenario("it cancels again inside cancel()", .unneededIsCancelled, if: \.cancels) { trial in
            let isFirst = Atomic(true)
            guard
                await trial.connect({ script, _ in
                    script.onCancel = { [weak trial] in
                        if isFirst.exchange(false, ordering: .relaxed) { trial?.cancelHere() }
                    }
                }) != nil
            else { return }
            await trial.cancel()
            // That it was called once is looked at in the end.
            await trial.cancelled("of the subscription")
        },
        Scenario(
            "it cancels before its subscription comes",
            .unneededIsCancelled,
            if: { $0.cancels && $0.cancelsEarly }
        ) { trial in
            guard let publisher = await trial.connect(isEager: false) else { return }
            await trial.cancel()
            await trial.calls(.signalsReturn, "receive(subscription:)") { publisher.sendSubscription() }
            await trial.cancelled("of a subscription that comes after the cancellation")
        },
        // It is chance: a subscriber that looks and then stores leaves a gap of a few instructions.
        Scenario(
            "it cancels while its subscription comes",
            .unneededIsCancelled,
            rounds: 100,
            if: { $0.cancels && $0.cancelsEarly }
        ) { trial in
            guard let publisher = await trial.connect(isEager: false) else { return }
            // Each time at another moment of what the subscriber does.
            let turns = Int.random(in: 0..<1_000)
            let looks = Atomic(0)
            trial.record.update { record in
                record.mayRace = true
                record.mayCancel = true
            }
            let start = Rendezvous()
            trial.stage.begin {
                start.meet()
                publisher.sendSubscription()
            }
            await trial.cancel {
                start.meet()
                for _ in 0..<turns { _ = looks.load(ordering: .relaxed) }
            }
            await trial.cancelled("of a subscription that comes at the same time")
        },
        Scenario(
            "a second subscription comes after it has cancelled",
            .secondIsCancelled,
            if: { $0.cancels && $0.cancelsEarly }
        ) { trial in
            guard let publisher = await trial.connect() else { return }
            await trial.cancel()
            await trial.cancelled("of the subscription")
            let second = Watched(SubscriberTrial.Record())
            let subscription = trial.makeSubscription(second)
            await trial.calls(.signalsReturn, "receive(subscription:)") { publisher.send(subscription) }
            guard await !trial.stage.wait(for: second, until: { $0.cancels > 0 }) else { return }
            trial.report.breach(
                of: .secondIsCancelled,
                "expected cancel() of a subscription that comes after the user's cancellation, but it was not called, "
                    + "and \(second.value.requested) elements were requested of it",
                advice: "remember that it was cancelled, apart from whether there is a subscription"
            )
        },
        Scenario("elements and the end come after it has cancelled", .lateElementsAreSurvived, if: \.cancels) { trial in
            guard let publisher = await trial.connect() else { return }
            if trial.promises.requestsByItself { guard await trial.requested(moreThan: 0) else { return } }
            await trial.cancel()
            await trial.cancelled("of the subscription")
            // No more than it has requested: that would be another mistake of the publisher.
            let count = min(3, trial.record.value.requested)
            await trial.calls(.lateElementsAreSurvived, "receive(_:) after cancel()") {
                for element in 0..<count { publisher.send(element) }
                publisher.sendLate(.finished)
            }
        },
        Scenario(
            "cancel() waits for the thread that sends",
            .signalsReturn,
            if: { $0.cancels && $0.requestsByItself }
        ) { trial in
            let isCancelling = Monitor(false)
            let isThrough = Watched(false)
            let hasWaited = Watched<Bool?>(nil)
            trial.stage.onRescue { isCancelling.open() }
            let publisher = await trial.connect { [stage = trial.stage] script, _ in
                script.onCancel = {
                    isCancelling.open()
                    let isReturned = stage.block { isThrough.value }
                    hasWaited.update { if $0 == nil { $0 = isReturned } }
                }
            }
            guard let publisher, await trial.requested(moreThan: 0) else { return }
            trial.stage.begin {
                isCancelling.pass()
                publisher.send(0)
                isThrough.update { $0 = true }
            }
            await trial.cancel()
            // If cancel() was not called, another scenario says so.
            guard await trial.stage.wait(for: hasWaited, until: { $0 != nil }), hasWaited.value == false else { return }
            trial.report.breach(
                of: .signalsReturn,
                "expected receive(_:) to return while cancel() runs on another thread, but it hangs: the subscriber "
                    + "calls cancel() under a lock that receive(_:) takes",
                advice: "take the subscription out under the lock, release the lock, then call it"
            )
        },
    ]
}
#endif
