// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

// Rules 3.2 and 3.3: what is requested inside `receive(_:)` comes, and the stack does not grow.

extension PublisherVerification {
    /// The stack of the thread on which these scenarios run.
    ///
    /// The ``ProbeState/deepest`` calls that a wrong publisher may nest before it is caught take 0.4 MB in a debug
    /// build, and more under ThreadSanitizer.
    static let stackSize = 4 << 20

    static let recursion: [Scenario<PublisherTrial>] = [
        // First with so few that a publisher that recurses does not end the process.
        Scenario("each receive(_:) requests one more", .recursionIsBounded, if: { $0.obeys(2...) }) {
            await Self.recurse($0, $0.count(2 * ProbeState.deepest))
        },
        Scenario(
            "each of very many receive(_:) requests one more",
            .recursionIsBounded,
            if: { $0.obeys(1_000...) }
        ) {
            await Self.recurse($0, $0.count($0.promises.recursionCount))
        },
        Scenario("each receive(_:) returns demand for one more", .recursionIsBounded, if: { $0.obeys(2...) }) {
            let count = $0.count(3 * ProbeState.deepest)
            let probe = $0.probe { $0.onElement = { _, _ in 1 } }
            guard await $0.subscribe(probe, to: $0.publisher(count)) else { return }
            await $0.request(1, for: probe, stackSize: Self.stackSize)
            guard $0.report.violations.isEmpty else { return }
            await $0.comesToItsEnd(probe, with: 0..<count)
        },
        Scenario("each of many receive(_:) requests several more", .recursionIsBounded, if: { $0.obeys(10...) }) {
            let count = $0.count(2_000)
            let probe = $0.probe { script in
                script.onElement = { probe, element in
                    for _ in 0..<3 { probe.request(1) }
                    return 1
                }
            }
            guard await $0.subscribe(probe, to: $0.publisher(count)) else { return }
            await $0.request(1, for: probe, stackSize: Self.stackSize)
            guard $0.report.violations.isEmpty else { return }
            await $0.finishes(probe, with: 0..<count)
        },
    ]

    /// Lets each element request the next one.
    private static func recurse(_ trial: PublisherTrial, _ count: Int) async {
        let probe = trial.probe { script in
            script.onElement = { probe, _ in
                probe.request(1)
                return 0
            }
        }
        guard await trial.subscribe(probe, to: trial.publisher(count)) else { return }
        await trial.request(1, for: probe, stackSize: Self.stackSize)
        // That the stack grows has been reported by the subscriber, which then requests no more.
        guard trial.report.violations.isEmpty else { return }
        _ = await trial.waits(for: probe.state) { $0.elements.count >= count || !$0.ends.isEmpty }
        guard await trial.arrived(count, at: probe) else { return }
        await trial.finishes(probe, with: 0..<count)
    }
}
#endif
