// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting
import Synchronization

// Courses of events at random, and what a model of the contract says of them.

extension PublisherVerification {
    static let histories: [Scenario<PublisherTrial>] = [
        Scenario("random histories are played", .demandIsAdded, if: { $0.makes(0...) }) {
            await $0.playHistories(isDriven: false)
        },
        Scenario("driven, random histories are played", .demandIsAdded, if: { $0.isDriven }) {
            await $0.playHistories(isDriven: true)
        },
        Scenario(
            "driven, two threads send elements of their own",
            .signalsAreSerial,
            rounds: 5,
            if: { $0.isDriven && $0.promises.takesEventsFromThreads }
        ) { trial in
            guard let (driver, publisher) = await trial.drive() else { return }
            let count = 300
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: publisher) else { return }
            await trial.request(Probe.unlimited, for: probe)
            let start = Rendezvous()
            let done = Watched(0)
            for first in [0, count] {
                trial.stage.begin {
                    start.meet()
                    for element in first..<(first + count) { driver.send(.element(element)) }
                    done.update { $0 += 1 }
                }
            }
            _ = await trial.waits(for: done) { $0 == 2 }
            guard await trial.arrived(2 * count, at: probe) else { return }
            await trial.send([.finished], by: driver)
            guard await trial.ended(probe) else { return }
            let seen = probe.state.value.elements
            if Set(seen).count < seen.count || seen.count != 2 * count {
                trial.report.violation(
                    of: .order,
                    "expected each element of two threads once, saw \(seen.count), of which "
                        + "\(Set(seen).count) are different",
                    advice: ReactiveStreamsRule.signalsAreSerial.advice
                )
            }
            for isFirst in [true, false] {
                let own = seen.filter { ($0 < count) == isFirst }
                guard own != own.sorted() else { continue }
                trial.report.violation(
                    of: .order,
                    "expected the elements of each thread in the order in which it sent them, saw one overtaken",
                    advice: ReactiveStreamsRule.signalsAreSerial.advice
                )
            }
        },
    ]
}

extension PublisherTrial {
    fileprivate func playHistories(isDriven: Bool) async {
        let (bridge, traits, error) = (self.report.bridge, self.traits, self.stage.makeError())
        let run = HistoryRun(
            seed: traits.seed,
            patience: traits.promises.patience,
            { PublisherHistory(seed: $0, isDriven: isDriven, traits) },
            { PublisherHistoryPlayer($0, bridge, traits, error, patience: $1, count: $2) }
        )
        let (failure, hanging) = await run.play(on: self.stage)
        if let hanging { self.reportHang(hanging, isKnown: failure != nil) }
        if let failure { self.report.report(failure.violation, in: failure.history.told) }
    }

    private func reportHang(_ player: PublisherHistoryPlayer, isKnown: Bool) {
        self.noteHang()
        for probe in player.probes { probe.state.update { $0.isOver = true } }
        if isKnown { return }
        if let violation = player.report.violations.first {
            return self.report.report(violation, in: player.played.told)
        }
        // The probes know best which call hangs.
        let inner = player.probes.lazy.compactMap { $0.state.value.innerCalls.last }.first
        let call = inner.map { HangingCall($0) } ?? player.call ?? .making
        let end = player.begun > 0 ? ", when the history is over" : ""
        self.report.hang(of: call, player.step.map { ", when \($0)" } ?? end, in: player.played.told)
    }
}
#endif
