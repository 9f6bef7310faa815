// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rules 1.11 and 3.7 for publishers that are driven, whose subscribers share one run and come and go.

extension PublisherVerification {
    static let severalDriven: [Scenario<PublisherTrial>] = [
        Scenario(
            "driven, the first two of three subscribers cancel",
            .subscribersAreServed,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            let probes = (0..<3).map { _ in trial.probe() }
            guard let (driver, _) = await trial.drive(probes) else { return }
            for probe in probes[..<2] { await trial.cancel(probe) }
            await trial.send([.element(1), .finished], by: driver)
            let advice =
                "remove the one that cancels, and no other, by its identity: its place in the list changes when "
                + "others leave"
            guard await trial.ended(probes[2], else: .subscribersAreServed, advice: advice) else { return }
            trial.expect(0..<2, at: probes[2])
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
        // Found: a loop over the list itself, which moves when one leaves.
        Scenario(
            "driven, one of three subscribers cancels inside receive(_:)",
            .subscribersAreServed,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            for leaver in 0..<3 where trial.report.violations.isEmpty {
                guard let (driver, publisher) = await trial.drive() else { return }
                let probes = (0..<3).map { index in
                    trial.probe { script in
                        script.onElement = { probe, element in
                            if index == leaver, element == 1 { probe.cancel() }
                            return 0
                        }
                    }
                }
                for probe in probes {
                    guard await trial.subscribe(probe, to: publisher) else { return }
                    await trial.request(Probe.unlimited, for: probe)
                }
                await trial.send([.element(0), .element(1), .element(2), .finished], by: driver)
                for (index, probe) in probes.enumerated() where index != leaver {
                    await trial.served(probe, as: "each other one, when one leaves while an element is sent,") {
                        $0.elements.suffix(2) == [1, 2] && !$0.ends.isEmpty
                    }
                }
            }
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
            guard let (driver, second) = await trial.joined(after: .element(1)) else { return }
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
            guard let (_, second) = await trial.joined(after: .finished) else { return }
            await trial.ended(second, advice: "note the end, also when nobody is subscribed, for those that come later")
        },
        Scenario(
            "driven, one subscribes another one inside receive(_:)",
            .subscribersAreServed,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let inner = trial.probe()
            let outer = trial.probe(subscribing: inner, to: publisher)
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
        Self.cancelAnother("receive(_:)") { script, other in
            script.onElement = { _, element in
                if element == 1 { other.cancel() }
                return 0
            }
        },
        // Found: a subject that takes all out of its list and then tells each, cancelled meanwhile or not.
        Self.cancelAnother("its end") { script, other in script.onEnd = { _ in other.cancel() } },
        // Found: lists that are read, changed and written back: one that comes meanwhile is lost.
        Scenario(
            "driven, two threads subscribe at the same time",
            .subscribersAreServed,
            rounds: 20,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let groups = (0..<2).map { _ in (0..<10).map { _ in trial.probe() } }
            guard
                await trial.atTheSameTime(
                    { groups[0].forEach(publisher.attach) },
                    { groups[1].forEach(publisher.attach) }
                )
            else { return }
            await trial.lastIsServed(groups[0] + groups[1], by: driver, as: "one that comes beside another one")
        },
        Scenario(
            "driven, one thread subscribes while another one cancels",
            .subscribersAreServed,
            rounds: 20,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            // One stays: when all have left, a publisher may be over.
            let (staying, leaving) = (trial.probe(), (0..<10).map { _ in trial.probe() })
            guard let (driver, publisher) = await trial.drive([staying] + leaving) else { return }
            let coming = (0..<10).map { _ in trial.probe() }
            guard
                await trial.atTheSameTime(
                    { coming.forEach(publisher.attach) },
                    { leaving.forEach { $0.cancel() } }
                )
            else { return }
            await trial.lastIsServed(coming, by: driver, as: "one that subscribes while another one leaves")
        },
    ]
}

extension PublisherVerification {
    /// Lets one of two subscribers cancel the other one.
    ///
    /// - Parameters:
    ///   - place: Inside what, for the name.
    ///   - change: Lets the one cancel the other.
    /// - Returns: The scenario.
    private static func cancelAnother(
        _ place: String,
        _ change: @escaping @Sendable (_ script: inout Probe.Script, _ other: Probe) -> Void
    ) -> Scenario<PublisherTrial> {
        Scenario(
            "driven, a subscriber cancels another one inside \(place)",
            .cancelEndsSignals,
            if: { $0.isDriven && $0.isShared }
        ) { trial in
            // Which of two is told first is the publisher's choice.
            for isFirst in [true, false] {
                guard let (driver, publisher) = await trial.drive() else { return }
                let other = trial.probe()
                let probe = trial.probe { change(&$0, other) }
                for probe in isFirst ? [probe, other] : [other, probe] {
                    guard await trial.subscribe(probe, to: publisher) else { return }
                    await trial.request(Probe.unlimited, for: probe)
                }
                await trial.send([.element(0), .element(1), .element(2), .finished], by: driver)
                let advice = "go on with the other subscribers when one leaves while they are told"
                guard await trial.ended(probe, else: .subscribersAreServed, advice: advice) else { return }
                trial.expect(0..<3, at: probe)
                guard await trial.cancelled(other) else { return }
            }
        }
    }
}

extension PublisherTraits {
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

    /// Lets the only subscriber leave, then an event come for nobody, and then another one subscribe and request all.
    ///
    /// - Returns: What drives the publisher, and the second subscriber; `nil` if it could not subscribe, which is
    ///   reported.
    fileprivate func joined(after event: PublisherDriver.Event) async -> (driver: PublisherDriver, probe: Probe)? {
        let (first, second) = (self.probe(), self.probe())
        guard let (driver, publisher) = await self.drive([first]) else { return nil }
        await self.cancel(first)
        await self.send([event], by: driver)
        guard await self.subscribe(second, to: publisher) else { return nil }
        if second.state.value.ends.isEmpty { await self.request(Probe.unlimited, for: second) }
        return (driver, second)
    }

    /// Does two things on two threads at the same time.
    ///
    /// - Returns: Whether both are done; if not, another scenario says so.
    fileprivate func atTheSameTime(
        _ first: @escaping @Sendable () -> Void,
        _ second: @escaping @Sendable () -> Void
    ) async -> Bool {
        let start = Rendezvous()
        let done = Watched(0)
        for body in [first, second] {
            self.stage.begin {
                start.meet()
                body()
                done.update { $0 += 1 }
            }
        }
        return await self.stage.wait(for: done) { $0 == 2 }
    }

    /// Sends an element and the end, and expects all to get both.
    fileprivate func lastIsServed(_ probes: [Probe], by driver: PublisherDriver, as who: String) async {
        for probe in probes {
            guard await self.subscribed(probe) else { return }
            await self.request(Probe.unlimited, for: probe)
        }
        await self.send([.element(1), .finished], by: driver)
        for probe in probes where self.report.violations.isEmpty {
            await self.served(probe, as: who) { $0.elements.contains(1) && !$0.ends.isEmpty }
        }
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
}
#endif
