// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

// Publishers that are driven by hand: what is sent when.

extension PublisherVerification {
    static let driving: [Scenario<PublisherTrial>] = [
        Scenario("driven, everything is requested", .demandIsAdded, if: { $0.isDriven }) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            for element in 0..<5 {
                await trial.send([.element(element)], by: driver)
                guard await trial.arrived(element + 1, at: probe) else { return }
            }
            await trial.send([.finished], by: driver)
            await trial.comesToItsEnd(probe, with: 0..<5)
        },
        Scenario("driven, many come at once", .demandIsAdded, if: { $0.isDriven }) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            // One that delivers on a queue keeps them until then.
            let count = min(200, trial.promises.keptCount)
            await trial.send((0..<count).map { .element($0) } + [.finished], by: driver)
            await trial.comesToItsEnd(probe, with: 0..<count)
        },
        Scenario(
            "driven, more comes than is requested",
            .demandIsObeyed,
            if: { $0.isDriven && $0.promises.obeysDemand }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(2, for: probe)
            for element in 0..<5 {
                await trial.send([.element(element)], by: driver)
                guard await trial.arrived(min(element + 1, 2), at: probe) else { return }
            }
            await trial.request(Probe.unlimited, for: probe)
            await trial.send([.element(5), .finished], by: driver)
            guard await trial.ended(probe) else { return }
            let expected =
                switch trial.promises.unrequested {
                case .kept: [0, 1, 2, 3, 4, 5]
                case .dropped: [0, 1, 5]
                case .unspecified: probe.state.value.elements
                }
            if expected != probe.state.value.elements {
                trial.report.violation(
                    of: .backPressure,
                    "expected the elements \(expected), saw \(probe.state.value.elements)",
                    advice: trial.promises.unrequested == .kept
                        ? "keep elements that were not requested yet, or say in the promises that they are dropped"
                        : "drop elements that were not requested yet, or say in the promises that they are kept"
                )
            }
        },
        Scenario("driven, it is cancelled and the source goes on", .cancelEndsSignals, if: { $0.isDriven }) { trial in
            for isFinished in [true, false] {
                guard let (driver, publisher) = await trial.drive() else { return }
                let probe = trial.probe()
                guard await trial.subscribe(probe, to: publisher) else { return }
                await trial.request(Probe.unlimited, for: probe)
                await trial.send([.element(0)], by: driver)
                guard await trial.arrived(1, at: probe) else { return }
                await trial.cancel(probe)
                let events: [PublisherDriver.Event] = isFinished ? [.finished] : [.element(1), .element(2)]
                await trial.send(events, by: driver)
                await trial.callCancelled(probe)
            }
        },
        Scenario("driven, it is cancelled inside receive(_:)", .cancelEndsSignals, if: { $0.isDriven }) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe { script in
                script.onElement = { probe, element in
                    if element == 1 { probe.cancel() }
                    return 1
                }
            }
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            await trial.send((0..<4).map { .element($0) } + [.finished], by: driver)
            guard await trial.cancelled(probe) else { return }
            await trial.callCancelled(probe)
        },
        Scenario("driven, it is cancelled and the subscription is kept", .cancelReleases, if: { $0.releasesDriven }) {
            guard let (driver, publisher) = await $0.drive() else { return }
            let probe = $0.probe()
            guard await $0.subscribe(probe, to: publisher) else { return }
            await $0.request(Probe.unlimited, for: probe)
            await $0.send([.element(0)], by: driver)
            guard await $0.arrived(1, at: probe) else { return }
            await $0.cancel(probe)
            await $0.released(probe, "after cancel()")
        },
        Scenario("driven, another thread cancels while receive(_:) runs", .cancelIsPrompt, if: { $0.isDriven }) {
            await Self.driveAndCall($0, .cancelIsPrompt, "cancel()") { $0.cancel() }
        },
        Scenario(
            "driven, another thread requests while receive(_:) runs",
            .requestIsPrompt,
            if: { $0.isDriven && $0.promises.obeysDemand }
        ) {
            await Self.driveAndCall($0, .requestIsPrompt, "request(_:)") { $0.request(1) }
        },
    ]

    /// Lets another thread make a call while an element is received, and waits for that call there.
    private static func driveAndCall(
        _ trial: PublisherTrial,
        _ rule: ReactiveStreamsRule,
        _ name: String,
        _ call: @escaping @Sendable (Probe) -> Void
    ) async {
        guard let (driver, publisher) = await trial.drive() else { return }
        let isReceiving = Monitor(false)
        let isCalled = Watched(false)
        let hasWaited = Watched<Bool?>(nil)
        trial.stage.onRescue { isReceiving.open() }
        let probe = trial.probe { [stage = trial.stage] script in
            script.onElement = { _, _ in
                isReceiving.open()
                let isReturned = stage.block { isCalled.value }
                hasWaited.update { $0 = isReturned }
                return 0
            }
        }
        guard await trial.subscribe(probe, to: publisher) else { return }
        await trial.request(1, for: probe)
        trial.stage.begin {
            isReceiving.pass()
            call(probe)
            isCalled.update { $0 = true }
        }
        trial.stage.begin { driver.send(.element(0)) }
        guard await trial.stage.wait(for: hasWaited, until: { $0 != nil }), hasWaited.value == false else { return }
        trial.report.breach(
            of: rule,
            "expected \(name) to return while receive(_:) runs on another thread, but it hangs: the publisher calls "
                + "receive(_:) under a lock that \(name) takes"
        )
    }
}

extension PublisherTraits {
    fileprivate var releasesDriven: Bool { self.isDriven && self.promises.releasesCancelledSubscriber }
}
#endif
