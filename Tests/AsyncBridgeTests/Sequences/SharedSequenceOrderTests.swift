// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite(
    "SharedSequenceStateMachine: every order of the events of consumers, pumps, source and owner",
    .timeLimit(.minutes(10))
)
struct SharedSequenceOrderTests {
    struct Exploration {
        var states = 0
        var ends = 0
        var mostDelivered = 0
        var violations: [String] = []
    }

    /// Follows every order of events, and each state that several orders lead to only once.
    ///
    /// The machine cannot be copied, so each order is run from its beginning.
    private func explore(_ unused: UnusedSourcePolicy, consumers: Int) -> Exploration {
        var result = Exploration()
        var seen: Set<SharedSequenceWorld.Snapshot> = []
        var orders: [[SharedSequenceWorld.Event]] = [[]]
        while let order = orders.popLast() {
            var machine = SharedSequenceWorld.Machine(unused: unused)
            var world = SharedSequenceWorld(unused, consumers: consumers)
            for event in order { world.happen(event, &machine) }
            guard seen.insert(world.snapshot(machine.summary)).inserted else { continue }
            world.check()
            let possible = world.possible
            if possible.isEmpty {
                world.end()
                result.ends += 1
            }
            result.mostDelivered = max(result.mostDelivered, world.delivered)
            if !world.violations.isEmpty {
                result.violations.append("\(world.violations) after \(order)")
                continue
            }
            orders += possible.map { order + [$0] }
        }
        result.states = seen.count
        return result
    }

    @Test(arguments: [UnusedSourcePolicy.stop, .keep], 1...3)
    func `one pump at a time iterates, and each consumer and each pump has one end`(
        _ unused: UnusedSourcePolicy,
        _ consumers: Int
    ) {
        let all = self.explore(unused, consumers: consumers)
        #expect(all.violations.isEmpty, "\(all.violations.prefix(3))")
        #expect(all.states > 50 * consumers * consumers && all.ends > 0 && all.mostDelivered > 0)
    }
}
