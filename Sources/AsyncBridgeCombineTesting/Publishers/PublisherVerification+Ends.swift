// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rules 1.4 to 1.7, 3.6 and 3.7: one end, and nothing after it.

extension PublisherVerification {
    static let ends: [Scenario<PublisherTrial>] = [
        Scenario("it is called again after its end", .endIsLast, if: { $0.makes(0...) }) { trial in
            let count = trial.count(5)
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            await trial.finishes(probe, with: 0..<count)
            await trial.callAgain(probe)
        },
        Scenario("it is called again inside its end", .endCancels, if: { $0.makes(0...) }) { trial in
            let count = trial.count(5)
            let probe = trial.probe { script in
                script.onEnd = { probe in
                    probe.request(1)
                    probe.request(Probe.unlimited)
                    probe.cancel()
                }
            }
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            await trial.finishes(probe, with: 0..<count)
            await trial.settle()
        },
        Scenario("it fails without an element", .failureIsSent, if: { $0.cases.failing != nil }) { trial in
            let error = trial.stage.makeError()
            let probe = trial.probe()
            let publisher = await trial.failing(0, error)
            guard await trial.subscribe(probe, to: publisher) else { return }
            if probe.state.value.ends.isEmpty { await trial.request(1, for: probe) }
            await trial.comesToItsEnd(probe, with: 0..<0, then: error)
            await trial.callAgain(probe)
        },
        Scenario("it fails after some elements", .failureIsSent, if: { $0.failsLate }) { trial in
            let error = trial.stage.makeError()
            let probe = trial.probe()
            let publisher = await trial.failing(5, error)
            guard await trial.subscribe(probe, to: publisher) else { return }
            if trial.promises.obeysDemand {
                await trial.request(2, for: probe)
                guard await trial.arrived(2, at: probe) else { return }
            }
            await trial.finishes(probe, with: 0..<5, then: error)
            await trial.callAgain(probe)
        },
        Scenario("what never ends is taken in part", .requestReturns, if: { $0.obeysEndlessly }) { trial in
            let probe = trial.probe()
            let publisher = await trial.endless()
            guard await trial.subscribe(probe, to: publisher) else { return }
            for (more, sum) in [(1, 1), (100, 101)] {
                await trial.request(more, for: probe)
                guard await trial.arrived(sum, at: probe) else { return }
            }
            trial.expect(0..<101, at: probe)
        },
    ]
}

extension PublisherTraits {
    fileprivate var failsLate: Bool { self.cases.failing != nil && self.promises.counts.contains(5) }

    fileprivate var obeysEndlessly: Bool { self.cases.endless != nil && self.promises.obeysDemand }
}

extension PublisherTrial {
    /// Calls a subscription that has ended, and expects that nothing comes of it.
    func callAgain(_ probe: Probe) async {
        guard !probe.state.value.ends.isEmpty else { return }
        await self.request(1, for: probe)
        await self.request(Probe.unlimited, for: probe)
        for _ in 0..<2 { await self.cancel(probe) }
        await self.request(1, for: probe)
        await self.settle()
    }
}
#endif
