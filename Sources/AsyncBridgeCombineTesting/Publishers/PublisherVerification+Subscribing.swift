// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rules 1.9 and 2.12: the subscription comes first, and once.

extension PublisherVerification {
    static let subscribing: [Scenario<PublisherTrial>] = [
        // The subscriber looks at what comes, and before what.
        Scenario("it is subscribed to, and nothing is requested", .subscriptionIsFirst, if: { $0.makes(0...) }) {
            let probe = $0.probe()
            guard await $0.subscribe(probe, to: $0.publisher($0.count(10))) else { return }
            await $0.settle()
        },
        Scenario("it is subscribed to and requested at once", .subscriptionIsFirst, if: { $0.makes(0...) }) {
            let count = $0.count(10)
            let probe = $0.probe { $0.onSubscription = { $0.request(Probe.unlimited) } }
            guard await $0.subscribe(probe, to: $0.publisher(count)) else { return }
            await $0.comesToItsEnd(probe, with: 0..<count)
        },
        Scenario("it has no elements", .finishIsSent, if: { $0.makes(0...) && $0.promises.counts.contains(0) }) {
            let probe = $0.probe()
            guard await $0.subscribe(probe, to: $0.publisher(0)) else { return }
            // It may look for an element when one is requested.
            if probe.state.value.ends.isEmpty { await $0.request(1, for: probe) }
            await $0.comesToItsEnd(probe, with: 0..<0)
        },
    ]
}
#endif
