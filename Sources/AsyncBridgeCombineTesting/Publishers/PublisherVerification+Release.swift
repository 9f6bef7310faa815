// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rule 3.13: a subscriber that has cancelled, or has got the end, is not kept.

extension PublisherVerification {
    static let release: [Scenario<PublisherTrial>] = [
        Scenario("it is cancelled, and the subscription is kept", .cancelReleases, if: { $0.releases(1...) }) {
            let probe = $0.probe()
            guard await $0.subscribe(probe, to: $0.publisher($0.count(10))) else { return }
            await $0.cancel(probe)
            await $0.released(probe, "after cancel()")
        },
        Scenario(
            "it is cancelled inside receive(_:), and the subscription is kept",
            .cancelReleases,
            if: { $0.releases(2...) }
        ) { trial in
            let probe = trial.probe { script in
                script.onElement = { probe, element in
                    if element == 0 { probe.cancel() }
                    return 0
                }
            }
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(10))) else { return }
            await trial.request(2, for: probe)
            guard await trial.cancelled(probe) else { return }
            await trial.released(probe, "after cancel()")
        },
        // Found: a subscriber of the publisher's own that holds the publisher weakly.
        Scenario("nobody keeps the publisher", .backPressure, advice: Self.holdPublisher, if: { $0.makes(1...) }) {
            let count = $0.count(5)
            let probe = $0.probe()
            guard await $0.subscribe(probe, toOneOf: count) else { return }
            await $0.completes(probe, with: count)
        },
        Scenario("it is cancelled, and the subscription is dropped", .cancelReleases, if: { $0.makes(1...) }) { trial in
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(trial.count(10))) else { return }
            await trial.cancel(probe)
            await trial.isGone(probe, "after cancel()")
        },
        Scenario("it has ended, and the subscription is dropped", .endCancels, if: { $0.makes(0...) }) { trial in
            let count = trial.count(5)
            let probe = trial.probe()
            guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
            await trial.finishes(probe, with: 0..<count)
            guard !probe.state.value.ends.isEmpty else { return }
            await trial.isGone(probe, "after the end")
        },
    ]
}

extension PublisherVerification {
    static let holdPublisher =
        "let the subscription hold what it needs: its user keeps the subscription alone, and the publisher goes"
}

extension PublisherTraits {
    fileprivate func releases(_ counts: PartialRangeFrom<Int>) -> Bool {
        self.makes(counts) && self.promises.releasesCancelledSubscriber
    }
}

extension PublisherTrial {
    /// Drops the subscription, and expects that nothing keeps it nor the subscriber.
    fileprivate func isGone(_ probe: Probe, _ moment: String) async {
        let isGone = probe.dropSubscription()
        await self.released(probe, moment)
        if await !self.comes(true: isGone) {
            self.report.breach(
                of: .cancelReleases,
                "expected the subscription to be released \(moment), when the subscriber has dropped it, but the "
                    + "publisher keeps it",
                advice: Self.adviceToRelease(probe)
            )
        }
    }
}
#endif
