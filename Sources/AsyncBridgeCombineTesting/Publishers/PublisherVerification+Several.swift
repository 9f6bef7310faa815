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
        Scenario("two subscribe at the same time", .subscribersAreServed, rounds: 100, if: { $0.isCold(3...) }) {
            trial in
            let count = trial.count(10)
            guard let publisher = await trial.publisher(count) else { return }
            let probes = [trial.probe(), trial.probe()]
            let start = Rendezvous()
            for probe in probes {
                trial.stage.begin {
                    start.meet()
                    publisher.attach(probe)
                }
            }
            for probe in probes {
                guard await trial.subscribed(probe) else { return }
                await trial.getsAll(probe, count)
            }
        },
        Scenario(
            "one subscribes another one inside receive(_:)",
            .subscribersAreServed,
            if: { $0.isCold(3...) }
        ) { trial in
            let count = trial.count(10)
            guard let publisher = await trial.publisher(count) else { return }
            let inner = trial.probe()
            let outer = trial.probe { script in
                script.onElement = { _, element in
                    if element == 1 { publisher.attach(inner) }
                    return 0
                }
            }
            guard await trial.subscribe(outer, to: publisher) else { return }
            await trial.getsAll(outer, count)
            guard await trial.subscribed(inner) else { return }
            await trial.getsAll(inner, count)
        },
        Scenario(
            "driven, one of two subscribers cancels twice",
            .lateCancelIsNothing,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            let (first, second) = (trial.probe(), trial.probe())
            guard let (driver, _) = await trial.drive([first, second]) else { return }
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
            guard let (driver, _) = await trial.drive(probes) else { return }
            for probe in probes[..<2] { await trial.cancel(probe) }
            await trial.send([.element(1), .finished], by: driver)
            let advice = "remove a subscriber by its identity, since its place in the list changes when others leave"
            guard await trial.ended(probes[2], else: .subscribersAreServed, advice: advice) else { return }
            trial.expect(0..<2, at: probes[2])
        },
        Scenario(
            "driven, a subscriber comes after an element",
            .subscribersAreServed,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let (early, late) = (trial.probe(), trial.probe())
            guard await trial.subscribe(early, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: early)
            await trial.send([.element(0)], by: driver)
            guard await trial.arrived(1, at: early), await trial.subscribe(late, to: publisher) else { return }
            await trial.request(1, for: late)
            await trial.send([.element(1), .element(2)], by: driver)
            guard await trial.arrived(3, at: early) else { return }
            await trial.served(late, as: "one that comes after an element") { !$0.elements.isEmpty }
            await trial.request(Probe.unlimited, for: late)
            await trial.send([.element(3), .finished], by: driver)
            await trial.comesToItsEnd(early, with: 0..<4)
            await trial.served(late, as: "one that comes after an element") { !$0.ends.isEmpty }
            // Race: its second request may be there when the element 2 comes to it. What was kept, it may get.
            let seen = late.state.value.elements
            let isRight =
                trial.promises.unrequested == .dropped
                ? seen.filter { $0 != 2 } == [1, 3]
                : seen.contains(3) && seen == seen.sorted() && Set(seen).count == seen.count
            if isRight { return }
            trial.report.breach(
                of: .subscribersAreServed,
                "expected one that comes after the element 0, and requests one element and then all, to get 1 and 3, "
                    + "saw \(seen)",
                advice: "count the demand of each subscriber for itself, and send those that come later what comes then"
            )
        },
        Scenario(
            "driven, a subscriber comes when another one has left",
            .subscribersAreServed,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            let (first, second, third) = (trial.probe(), trial.probe(), trial.probe())
            guard let (driver, publisher) = await trial.drive([first, second]) else { return }
            await trial.cancel(first)
            guard await trial.subscribe(third, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: third)
            await trial.send([.element(1), .finished], by: driver)
            for (probe, name) in [(second, "one that was there"), (third, "one that has come")] {
                await trial.served(probe, as: name + " when another one has left") { state in
                    state.elements.contains(1) && !state.ends.isEmpty
                }
            }
        },
        Scenario(
            "driven, the source goes on when all have left, and one more comes",
            .subscribersAreServed,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            let (first, second) = (trial.probe(), trial.probe())
            guard let (driver, publisher) = await trial.drive([first]) else { return }
            await trial.cancel(first)
            await trial.send([.element(1)], by: driver)
            guard await trial.subscribe(second, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: second)
            // A publisher may be over when all have left: then it ends at once.
            guard second.state.value.ends.isEmpty else { return }
            await trial.send([.element(2), .finished], by: driver)
            await trial.served(second, as: "one that comes when an element has come for nobody") { state in
                state.elements.contains(2) && !state.ends.isEmpty
            }
        },
        Scenario(
            "driven, the source ends when all have left, and one more comes",
            .finishIsSent,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            let (first, second) = (trial.probe(), trial.probe())
            guard let (driver, publisher) = await trial.drive([first]) else { return }
            await trial.cancel(first)
            await trial.send([.finished], by: driver)
            guard await trial.subscribe(second, to: publisher) else { return }
            if second.state.value.ends.isEmpty { await trial.request(Probe.unlimited, for: second) }
            await trial.ended(second, advice: "note the end, also when nobody is subscribed, for those that come later")
        },
        Scenario(
            "driven, one subscribes another one inside receive(_:)",
            .subscribersAreServed,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let inner = trial.probe()
            let outer = trial.probe { script in
                script.onElement = { _, element in
                    if element == 1 { publisher.attach(inner) }
                    return 0
                }
            }
            guard await trial.subscribe(outer, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: outer)
            await trial.send([.element(0), .element(1)], by: driver)
            guard await trial.arrived(2, at: outer), await trial.subscribed(inner) else { return }
            await trial.request(Probe.unlimited, for: inner)
            await trial.send([.element(2), .finished], by: driver)
            await trial.comesToItsEnd(outer, with: 0..<3)
            await trial.served(inner, as: "one that subscribes while an element is sent") { state in
                state.elements.contains(2) && !state.ends.isEmpty
            }
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
    /// - Returns: What drives the publisher, and that; `nil` if one did not get it, which is reported.
    fileprivate func drive(_ probes: [Probe]) async -> (driver: PublisherDriver, publisher: PublisherUnderTest)? {
        guard let (driver, publisher) = await self.drive() else { return nil }
        for probe in probes {
            guard await self.subscribe(probe, to: publisher) else { return nil }
            await self.request(Probe.unlimited, for: probe)
        }
        await self.send([.element(0)], by: driver)
        for probe in probes { guard await self.arrived(1, at: probe) else { return nil } }
        return (driver, publisher)
    }

    /// Waits until a subscriber has its subscription, without a call of this run's own.
    fileprivate func subscribed(_ probe: Probe) async -> Bool {
        if await self.stage.wait(for: probe.state, until: { $0.subscriptions > 0 }) { return true }
        self.report.breach(
            of: .subscribersAreServed,
            "expected receive(subscription:) of each of two subscribers, but one did not get it",
            advice: "let several subscribe at the same time, and inside receive(_:): no lock is held then"
        )
        return false
    }

    /// Expects that one of several subscribers gets what it must.
    fileprivate func served(
        _ probe: Probe,
        as who: String,
        until isServed: @escaping @Sendable (ProbeState) -> Bool
    ) async {
        if await self.stage.wait(for: probe.state, until: isServed) { return }
        let state = probe.state.value
        self.report.breach(
            of: .subscribersAreServed,
            "expected \(who) to get what was sent then, saw \(state.elements.count) elements and "
                + "\(state.ends.first.map { "\($0)" } ?? "no end")",
            advice: "know each subscriber by a number of its own, not by its place or by how many there are; and "
                + "take new ones at any moment"
        )
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
