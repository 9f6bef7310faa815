// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("ReplySlotStateMachine: every order of the events of all participants", .timeLimit(.minutes(10)))
struct ReplySlotOrderTests {
    struct Exploration {
        var states = 0
        var ends: Set<SlotWorld.End> = []
        var violations: [String] = []
    }

    /// Follows every order of events, and each state that several orders lead to only once.
    ///
    /// The machine cannot be copied, so each order is run from its beginning.
    private func explore(_ overlap: ReplyOverlap, callers: Int, replies: Int) -> Exploration {
        var result = Exploration()
        var seen: Set<SlotWorld.Snapshot> = []
        var orders: [[SlotWorld.Event]] = [[]]
        while let order = orders.popLast() {
            var world = SlotWorld(overlap, callers: callers, replies: replies)
            for event in order { world.happen(event) }
            guard seen.insert(world.snapshot).inserted else { continue }
            if !world.violations.isEmpty {
                result.violations.append("\(world.violations) after \(order)")
                continue
            }
            result.ends.formUnion(world.ends)
            orders += world.possible.map { order + [$0] }
        }
        result.states = seen.count
        return result
    }

    @Test(
        arguments: ReplySlotTests.policies,
        1...3
    )
    func `up to three callers have one end each, and the turn is never lost`(_ overlap: ReplyOverlap, _ callers: Int) {
        let all = self.explore(overlap, callers: callers, replies: 2)
        #expect(all.violations.isEmpty, "\(all.violations.prefix(3))")
        #expect(all.states > 20 * callers * callers)
    }

    static let ends: [(overlap: ReplyOverlap, ends: Set<SlotWorld.End>)] = [
        (.share, [.reply, .cancelled, .closed, .startFailed]),
        (.queue, [.reply, .cancelled, .closed, .startFailed]),
        (.reject, [.reply, .cancelled, .closed, .startFailed, .busy]),
        (.replace, [.reply, .cancelled, .closed, .startFailed, .replaced]),
    ]

    /// Guards the explorer itself: it reaches every end that the policy has.
    @Test(arguments: ends)
    func `every end is reached`(_ overlap: ReplyOverlap, _ ends: Set<SlotWorld.End>) {
        #expect(self.explore(overlap, callers: 2, replies: 1).ends == ends)
    }
}
