// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rules 1.10 and 1.11: each subscriber of a cold publisher gets a run of its own. And 3.7: one that cancels twice does
// the others no harm, whatever they share.

extension PublisherVerification {
    static let several: [Scenario<PublisherTrial>] = [
        Scenario("two subscribe one after the other", .subscribersAreServed, if: { $0.isCold(0...) }) { trial in
            let count = trial.count(10)
            let publisher = await trial.publisher(count)
            for _ in 0..<2 {
                let probe = trial.probe()
                guard await trial.subscribe(probe, to: publisher) else { return }
                await trial.getsAll(probe, count)
            }
        },
        Scenario("two subscribe at different paces", .subscribersAreServed, if: { $0.isCold(3...) }) { trial in
            let count = trial.count(10)
            let publisher = await trial.publisher(count)
            let (slow, fast) = (trial.probe(), trial.probe())
            for probe in [slow, fast] {
                guard await trial.subscribe(probe, to: publisher) else { return }
            }
            if trial.promises.obeysDemand {
                await trial.request(2, for: slow)
                guard await trial.arrived(2, at: slow) else { return }
            }
            await trial.getsAll(fast, count)
            await trial.getsAll(slow, count)
        },
        Scenario("one of two subscribers cancels", .subscribersAreServed, if: { $0.isCold(3...) }) { trial in
            let count = trial.count(10)
            let publisher = await trial.publisher(count)
            let (first, second) = (trial.probe(), trial.probe())
            for probe in [first, second] {
                guard await trial.subscribe(probe, to: publisher) else { return }
            }
            await trial.cancel(first)
            await trial.getsAll(second, count)
        },
        Scenario("one of two subscribers cancels twice", .lateCancelIsNothing, if: { $0.isCold(3...) }) { trial in
            let count = trial.count(10)
            let publisher = await trial.publisher(count)
            let (first, second) = (trial.probe(), trial.probe())
            for probe in [first, second] {
                guard await trial.subscribe(probe, to: publisher) else { return }
            }
            for _ in 0..<2 { await trial.cancel(first) }
            await trial.getsAll(second, count, else: .lateCancelIsNothing)
        },
        Scenario(
            "driven, one of two subscribers cancels twice",
            .lateCancelIsNothing,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            let (first, second) = (trial.probe(), trial.probe())
            guard let driver = await trial.drive([first, second]) else { return }
            for _ in 0..<2 { await trial.cancel(first) }
            await trial.send([.element(1), .finished], by: driver)
            guard await trial.ended(second, else: .lateCancelIsNothing) else { return }
            trial.expect(0..<2, at: second)
        },
        Scenario(
            "driven, the first two of three subscribers cancel",
            .subscribersAreServed,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            let probes = (0..<3).map { _ in trial.probe() }
            guard let driver = await trial.drive(probes) else { return }
            for probe in probes[..<2] { await trial.cancel(probe) }
            await trial.send([.element(1), .finished], by: driver)
            let advice = "remove a subscriber by its identity, since its place in the list changes when others leave"
            guard await trial.ended(probes[2], else: .subscribersAreServed, advice: advice) else { return }
            trial.expect(0..<2, at: probes[2])
        },
        Scenario(
            "driven, a subscriber cancels another one inside receive(_:)",
            .cancelEndsSignals,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            // Which of two gets an element first is the publisher's choice.
            for isFirst in [true, false] {
                guard let (driver, publisher) = await trial.drive() else { return }
                let other = trial.probe()
                let probe = trial.probe { script in
                    script.onElement = { _, element in
                        if element == 1 { other.cancel() }
                        return 0
                    }
                }
                for probe in isFirst ? [probe, other] : [other, probe] {
                    guard await trial.subscribe(probe, to: publisher) else { return }
                    await trial.request(Probe.unlimited, for: probe)
                }
                await trial.send([.element(0), .element(1), .element(2), .finished], by: driver)
                let advice = "go on with the other subscribers when one leaves while an element is sent"
                guard await trial.ended(probe, else: .subscribersAreServed, advice: advice) else { return }
                trial.expect(0..<3, at: probe)
                guard await trial.cancelled(other) else { return }
            }
        },
    ]
}

extension PublisherTraits {
    fileprivate func isCold(_ counts: PartialRangeFrom<Int>) -> Bool {
        switch self.promises.subscribers {
        case .each: self.makes(counts)
        case .shared, .one: false
        }
    }

    fileprivate var isShared: Bool {
        switch self.promises.subscribers {
        case .shared: true
        case .each, .one: false
        }
    }
}

extension PublisherTrial {
    /// Subscribes all to one publisher, and lets them get the element 0.
    ///
    /// - Returns: What drives the publisher; `nil` if one did not get it, which is reported.
    fileprivate func drive(_ probes: [Probe]) async -> PublisherDriver? {
        guard let (driver, publisher) = await self.drive() else { return nil }
        for probe in probes {
            guard await self.subscribe(probe, to: publisher) else { return nil }
            await self.request(Probe.unlimited, for: probe)
        }
        await self.send([.element(0)], by: driver)
        for probe in probes { guard await self.arrived(1, at: probe) else { return nil } }
        return driver
    }

    /// Expects all elements and the end, as every subscriber gets them that is alone.
    fileprivate func getsAll(
        _ probe: Probe,
        _ count: Int,
        else rule: ReactiveStreamsRule = .subscribersAreServed
    ) async {
        if probe.state.value.ends.isEmpty { await self.request(Probe.unlimited, for: probe) }
        let isOver = await self.stage.wait(for: probe.state) { !$0.ends.isEmpty }
        let state = probe.state.value
        if isOver, state.elements == Array(0..<count), case .finished = state.ends[0] { return }
        self.report.breach(
            of: rule,
            "expected each subscriber to get all \(count) elements and the end, saw one with \(state.elements.count) "
                + "elements and \(state.ends.first.map { "\($0)" } ?? "no end")"
        )
    }
}
#endif
