// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rules 1.8, 3.5 to 3.7 and 3.12: cancellation at any moment, and nothing after it.
//
// The subscriber looks at what comes after `cancel()` has returned.

extension PublisherVerification {
    static let cancellation: [Scenario<PublisherTrial>] = [
        Scenario("it is cancelled inside receive(subscription:)", .cancelEndsSignals, if: { $0.makes(1...) }) {
            let probe = $0.probe { script in
                script.onSubscription = { probe in
                    probe.cancel()
                    probe.request(1)
                    probe.request(Probe.unlimited)
                }
            }
            guard await $0.subscribe(probe, to: $0.publisher($0.count(10))) else { return }
            await $0.settle()
        },
        Scenario("it is cancelled before any request", .lateRequestIsNothing, if: { $0.obeys(1...) }) { trial in
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(10))) else { return }
            await trial.cancel(probe)
            await trial.callCancelled(probe)
        },
        Scenario("it is cancelled between two requests", .cancelEndsSignals, if: { $0.obeys(2...) }) { trial in
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(10))) else { return }
            await trial.request(1, for: probe)
            guard await trial.arrived(1, at: probe) else { return }
            await trial.cancel(probe)
            await trial.callCancelled(probe)
        },
        Scenario("it is cancelled inside receive(_:)", .cancelEndsSignals, if: { $0.makes(3...) }) { trial in
            let probe = trial.probe { script in
                script.onElement = { probe, element in
                    if element == 1 { probe.cancel() }
                    return element == 1 ? 1 : 0
                }
            }
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(10))) else { return }
            await trial.request(Probe.unlimited, for: probe)
            guard await trial.cancelled(probe) else { return }
            await trial.callCancelled(probe)
        },
        Scenario(
            "it is cancelled inside receive(_:) of its last element",
            .cancelEndsSignals,
            if: { $0.makes(1...) }
        ) { trial in
            let count = trial.count(3)
            let probe = trial.probe { script in
                script.onElement = { probe, element in
                    if element == count - 1 { probe.cancel() }
                    return 0
                }
            }
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            await trial.request(Probe.unlimited, for: probe)
            guard await trial.cancelled(probe) else { return }
            await trial.callCancelled(probe)
        },
        Scenario("what never ends is cancelled inside receive(_:)", .cancelStops, if: { $0.cases.endless != nil }) {
            let probe = $0.probe { script in
                script.onElement = { probe, element in
                    if element == 100 { probe.cancel() }
                    return 1
                }
            }
            guard await $0.subscribe(probe, to: $0.endless()) else { return }
            guard await $0.request(Probe.unlimited, for: probe), await $0.cancelled(probe) else { return }
            await $0.callCancelled(probe)
        },
        Scenario(
            "what never ends is cancelled on another thread",
            .cancelStops,
            rounds: 10,
            if: { $0.cases.endless != nil }
        ) { trial in
            let probe = trial.probe { $0.onElement = { _, _ in 1 } }
            probe.state.update { $0.grace = 1 }
            guard await trial.subscribe(probe, to: trial.endless()) else { return }
            let isBack = Watched(false)
            trial.stage.begin {
                probe.request(Probe.unlimited)
                isBack.update { $0 = true }
            }
            guard await trial.arrived(10, at: probe) else { return }
            await trial.cancel(probe)
            if await !trial.stage.wait(for: isBack, until: { $0 }) {
                trial.report.breach(
                    of: .cancelStops,
                    "expected the sending thread to return after cancel(), but it goes on"
                )
            }
        },
        Scenario("cancellation and the elements race", .cancelEndsSignals, rounds: 30, if: { $0.makes(2...) }) {
            await Self.race($0, $0.count(50)) { $0.cancel() }
        },
    ]

    /// Cancels while elements come on another thread.
    private static func race(_ trial: PublisherTrial, _ count: Int, _ cancel: @escaping @Sendable (Probe) -> Void) async
    {
        let probe = trial.probe()
        probe.state.update { $0.grace = 1 }
        guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
        let start = Rendezvous()
        let isBack = Watched(false)
        trial.stage.begin {
            start.meet()
            probe.request(Probe.unlimited)
            isBack.update { $0 = true }
        }
        trial.stage.begin {
            start.meet()
            cancel(probe)
        }
        if await !trial.stage.wait(for: isBack, until: { $0 }) {
            return trial.report.breach(of: .requestReturns, "expected request(_:) to return, but it hangs")
        }
        _ = await trial.stage.wait(for: probe.state) { $0.isCancelled }
        await trial.callCancelled(probe)
    }
}

extension PublisherTrial {
    /// Waits until the script has cancelled.
    func cancelled(_ probe: Probe) async -> Bool {
        if await self.stage.wait(for: probe.state, until: \.isCancelled) { return true }
        // Not so many elements have come.
        let count = probe.state.value.elements.count
        if self.hangsInside(probe) { return false }
        self.report.breach(of: .demandIsAdded, "expected more elements than \(count), but they did not come")
        return false
    }

    /// Calls a cancelled subscription, and expects that nothing comes of it.
    ///
    /// What was on its way at the cancellation, on a thread that had to wait, may come now.
    func callCancelled(_ probe: Probe) async {
        let before = probe.state.value
        await self.request(1, for: probe)
        await self.request(Probe.unlimited, for: probe)
        await self.settle()
        let late = probe.state.value.late - before.late
        if late > max(0, before.grace - before.late), self.promises.stopsAtOnce {
            self.report.breach(
                of: .lateRequestIsNothing,
                "expected a request after cancel() to do nothing, saw \(late) signals"
            )
        }
        for _ in 0..<2 { await self.cancel(probe) }
        await self.settle()
    }
}
#endif
