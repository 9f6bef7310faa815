// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

// Publishers that are driven by hand: their ends, and what is sent on two threads.

extension PublisherVerification {
    static let drivingEnds: [Scenario<PublisherTrial>] = [
        Scenario("driven, the end comes before any request", .finishIsSent, if: { $0.isDriven }) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.send([.finished], by: driver)
            if probe.state.value.ends.isEmpty { await trial.request(1, for: probe) }
            await trial.comesToItsEnd(probe, with: 0..<0)
        },
        Scenario(
            "driven, the end comes before the last request",
            .finishIsSent,
            if: { $0.isDriven && $0.promises.obeysDemand }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(1, for: probe)
            await trial.send([.element(0)], by: driver)
            guard await trial.arrived(1, at: probe) else { return }
            await trial.send([.element(1), .element(2), .finished], by: driver)
            switch trial.promises.unrequested {
            case .kept: await trial.finishes(probe, with: 0..<3)
            case .dropped: await trial.finishes(probe, with: 0..<1)
            case .unspecified:
                // It may have kept some, and then sends the end after them.
                if probe.state.value.ends.isEmpty { await trial.request(Probe.unlimited, for: probe) }
                await trial.ended(probe)
            }
        },
        Scenario("driven, the source fails", .failureIsSent, if: { $0.isDriven && $0.cases.drivenFails }) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let error = trial.stage.makeError()
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            await trial.send([.element(0), .failed(error)], by: driver)
            await trial.comesToItsEnd(probe, with: 0..<1, then: error)
            await trial.callAgain(probe)
        },
        Scenario(
            "driven, it is subscribed to after its end",
            .finishIsSent,
            if: { $0.isDriven && $0.promises.subscribers == .shared }
        ) { await $0.comesLate(after: [.finished], then: nil) },
        Scenario(
            "driven, it is subscribed to after its failure",
            .failureIsSent,
            if: { $0.isDriven && $0.cases.drivenFails && $0.promises.subscribers == .shared }
        ) { trial in
            let error = trial.stage.makeError()
            await trial.comesLate(after: [.failed(error)], then: error)
        },
        // Found: a subject that keeps the last end that it was told, for those that come later.
        Scenario(
            "driven, it is subscribed to after its end and a failure",
            .endIsLast,
            if: { $0.isDriven && $0.cases.drivenFails && $0.promises.subscribers == .shared }
        ) { trial in
            for isFailedFirst in [false, true] where trial.report.violations.isEmpty {
                let error = trial.stage.makeError()
                let ends: [PublisherDriver.Event] = [.finished, .failed(error)]
                await trial.comesLate(after: isFailedFirst ? ends.reversed() : ends, then: isFailedFirst ? error : nil)
            }
        },
        Scenario("driven, it is called again inside its end", .endCancels, if: { $0.isDriven }) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe { script in
                script.onEnd = { probe in
                    probe.request(1)
                    probe.cancel()
                }
            }
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            await trial.send([.element(0), .finished], by: driver)
            await trial.comesToItsEnd(probe, with: 0..<1)
        },
        // Found: a subject that notes its end when it has told all, and forgets who came meanwhile.
        Scenario(
            "driven, one subscribes another one inside its end",
            .finishIsSent,
            if: { $0.isDriven && $0.promises.subscribers == .shared }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let late = trial.probe()
            let probe = trial.probe { script in script.onEnd = { _ in publisher.attach(late) } }
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            await trial.send([.element(0), .finished], by: driver)
            guard await trial.ended(probe) else { return }
            guard await trial.stage.wait(for: late.state, until: { $0.subscriptions > 0 }) else {
                return trial.report.breach(
                    of: .subscriptionIsFirst,
                    "expected receive(subscription:) of a subscriber that comes inside the end, but it was not called"
                )
            }
            if late.state.value.ends.isEmpty { await trial.request(Probe.unlimited, for: late) }
            await trial.ended(late)
        },
        Scenario("driven, the source goes on after its end", .endIsLast, if: { $0.isDriven }) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            await trial.send([.element(0), .finished], by: driver)
            await trial.comesToItsEnd(probe, with: 0..<1)
            await trial.send([.element(1), .finished, .failed(trial.stage.makeError())], by: driver)
            await trial.callAgain(probe)
        },
        Scenario("driven, cancellation and the end race", .cancelEndsSignals, rounds: 30, if: { $0.isDriven }) {
            guard let (driver, publisher) = await $0.drive() else { return }
            let probe = $0.probe()
            probe.state.update { $0.grace = 1 }
            guard await $0.subscribe(probe, to: publisher) else { return }
            await $0.request(Probe.unlimited, for: probe)
            let start = Rendezvous()
            let isSent = Watched(false)
            $0.stage.begin {
                start.meet()
                driver.send(.finished)
                isSent.update { $0 = true }
            }
            $0.stage.begin {
                start.meet()
                probe.cancel()
            }
            _ = await $0.stage.wait(for: isSent) { $0 }
            _ = await $0.stage.wait(for: probe.state, until: \.isCancelled)
            await $0.callCancelled(probe)
        },
        Scenario(
            "driven, the end comes on another thread while receive(_:) runs",
            .signalsAreSerial,
            if: { $0.isDriven && $0.promises.takesEventsFromThreads }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let isReceiving = Monitor(false)
            let isSent = Watched(false)
            trial.stage.onRescue { isReceiving.open() }
            let probe = trial.probe { script in
                script.onElement = { _, _ in
                    isReceiving.open()
                    // Not for long: the publisher may let the other thread wait until this returns.
                    let deadline = ContinuousClock.now + .milliseconds(20)
                    while !isSent.value, ContinuousClock.now < deadline { yieldThread() }
                    return 0
                }
            }
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            trial.stage.begin {
                isReceiving.pass()
                driver.send(.finished)
                isSent.update { $0 = true }
            }
            await trial.send([.element(0)], by: driver)
            await trial.comesToItsEnd(probe, with: 0..<1)
        },
        Scenario(
            "driven, two threads send at the same time",
            .signalsAreSerial,
            rounds: 3,
            if: { $0.isDriven && $0.promises.takesEventsFromThreads }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            // Gives the other thread the time to come.
            let probe = trial.probe { script in
                script.onElement = { _, _ in
                    for _ in 0..<5 { yieldThread() }
                    return 0
                }
            }
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            let start = Rendezvous()
            let done = Watched(0)
            let count = min(100, trial.promises.keptCount / 2)
            for _ in 0..<2 {
                trial.stage.begin {
                    start.meet()
                    for element in 0..<count { driver.send(.element(element)) }
                    done.update { $0 += 1 }
                }
            }
            _ = await trial.waits(for: done) { $0 == 2 }
            guard await trial.arrived(2 * count, at: probe) else { return }
            await trial.send([.finished], by: driver)
            await trial.ended(probe)
        },
        Scenario("driven, nobody keeps the publisher", .backPressure, advice: Self.holdPublisher, if: { $0.isDriven }) {
            let probe = $0.probe()
            guard let driver = await $0.drive(for: probe) else { return }
            await $0.request(Probe.unlimited, for: probe)
            await $0.send([.element(0), .element(1), .finished], by: driver)
            await $0.completes(probe, with: 2)
        },
    ]
}

extension PublisherTrial {
    /// Lets a source end, then somebody subscribe, and expects the same end.
    ///
    /// - Parameters:
    ///   - ends: The end, and what the source says after it.
    ///   - error: The error, if the end is a failure.
    fileprivate func comesLate(after ends: [PublisherDriver.Event], then error: SourceError?) async {
        guard let (driver, publisher) = await self.drive() else { return }
        let early = self.probe()
        guard await self.subscribe(early, to: publisher) else { return }
        await self.request(Probe.unlimited, for: early)
        await self.send([.element(0)] + ends, by: driver)
        await self.comesToItsEnd(early, with: 0..<1, then: error)
        // It may get what was sent before, or nothing of it.
        let late = self.probe()
        guard await self.subscribe(late, to: publisher) else { return }
        if late.state.value.ends.isEmpty { await self.request(Probe.unlimited, for: late) }
        await self.ended(late, with: error)
    }
}
#endif
