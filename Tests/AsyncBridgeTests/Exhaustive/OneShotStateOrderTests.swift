// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("OneShotState: every order of the steps of all participants", .timeLimit(.minutes(60)))
struct OneShotStateOrderTests {
    static let others: [Participant] = [
        .deliverer(1), .deliverer(2), .promptCanceller, .cooperativeCanceller, .timer, .lastReference,
    ]

    /// All sets of up to three others, beside the waiter.
    ///
    /// A task is cancelled in one mode only.
    static let casts: [[Participant]] = (0..<(1 << others.count)).compactMap { bits in
        let cast = others.indices.filter { bits & (1 << $0) != 0 }.map { others[$0] }
        if cast.contains(.promptCanceller), cast.contains(.cooperativeCanceller) { return nil }
        return cast.count <= 3 ? cast : nil
    }

    @Test(arguments: casts)
    func `a waiter that parks is resumed once for each park and has one end`(with others: [Participant]) {
        let exploration = exploreOrders(of: [.waiter] + others)
        #expect(exploration.violations.isEmpty, "\(exploration.violations.prefix(3))")
        #expect(exploration.orders > 0)
    }

    @Test(arguments: casts)
    func `a waiter that leaves gets nothing, and nothing is lost`(with others: [Participant]) {
        let exploration = exploreOrders(of: [.leaver] + others)
        #expect(exploration.violations.isEmpty, "\(exploration.violations.prefix(3))")
        #expect(exploration.outcomes == [.left])
    }

    /// Guards the explorer itself: it reaches every end that there is.
    @Test func `all participants at once reach every end`() {
        let all = exploreOrders(of: [.waiter, .deliverer(1), .deliverer(2), .promptCanceller, .timer])
        #expect(all.violations.isEmpty, "\(all.violations.prefix(3))")
        #expect(all.outcomes == [.result(1), .result(2), .cancelled, .timedOut])
        #expect(exploreOrders(of: [.waiter, .lastReference]).outcomes == [.dropped])
        #expect(exploreOrders(of: [.waiter, .cooperativeCanceller, .timer]).outcomes == [.timedOut])
    }

    /// Three participants of one step each have 3! orders.
    @Test func `every order is tried`() {
        #expect(exploreOrders(of: [.leaver]).orders == 1)
        #expect(exploreOrders(of: [.leaver, .promptCanceller, .timer]).orders == 6)
    }
}
