// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// Each element is received once, or goes to `onUndelivered` once, or stays with one who did not want to wait; nobody
/// waits who need not.
@Suite("A channel: every order of the steps of three players", .timeLimit(.minutes(20)))
struct ChannelOrderTests {
    typealias Role = ChannelOrderWorld.Role
    static let senders: [Role] = [.sender, .offerer, .futureSender]
    static let receivers: [Role] = [.receiver, .poller, .callbackReceiver, .futureReceiver]

    /// All pairs of a sender and a receiver, each with all who could disturb them.
    static let casts: [[Role]] = senders.flatMap { sender in
        receivers.flatMap { receiver in
            var thirds: [Role] = [.closer, .ender]
            if sender.isCoroutine { thirds += [.canceller(of: 0), .dropper(of: 0)] }
            if receiver.isCoroutine { thirds += [.canceller(of: 1), .dropper(of: 1)] }
            if receiver == .futureReceiver { thirds += [.canceller(of: 1)] }
            return thirds.map { [sender, receiver, $0] }
        }
    }

    /// Two on one side, and one on the other.
    static let crowds: [[Role]] = [
        [.sender, .sender, .receiver], [.sender, .receiver, .receiver], [.sender, .offerer, .receiver],
        [.sender, .receiver, .poller], [.sender, .receiver, .callbackReceiver], [.sender, .sender, .closer],
        [.receiver, .receiver, .closer], [.sender, .sender, .canceller(of: 0)],
        [.receiver, .receiver, .canceller(of: 0)], [.offerer, .receiver, .receiver],
        [.sender, .sender, .dropper(of: 0)],
    ]

    @Test(arguments: casts + crowds)
    func `nothing is lost`(roles: [Role]) {
        for type in BufferingPolicy.kinds { self.exploreOrders(of: roles, type) }
    }

    @discardableResult
    private func exploreOrders(of roles: [Role], _ type: BufferingPolicy) -> (orders: Int, fates: Set<String>) {
        var violations: [String] = []
        var fates: Set<String> = []
        let tracker = LifetimeTracker()
        let orders = everyOrder { choices in
            var world = ChannelOrderWorld(roles, type, tracker)
            while true {
                let movers = world.movers
                if movers.isEmpty { break }
                world.move(movers[choices.choose(among: movers.count)])
            }
            world.checkWaiting()
            fates.formUnion(world.conclude())
            violations += world.violations
        }
        #expect(violations.isEmpty, "\(type): \(violations.prefix(3))")
        #expect(tracker.aliveLabels == [], "\(type)")
        return (orders, fates)
    }

    /// Guards the explorer: it reaches every fate that there is.
    @Test func `every fate is reached`() {
        let cancelled = self.exploreOrders(of: [.sender, .receiver, .canceller(of: 0)], .rendezvous)
        #expect(cancelled.fates == ["received", "undelivered", "failed"])
        let closed = self.exploreOrders(of: [.offerer, .poller, .closer], .bounded(capacity: 1))
        #expect(closed.fates == ["received", "undelivered", "refused"])
        let undisturbed = self.exploreOrders(of: [.sender, .receiver], .rendezvous)
        #expect(undisturbed.fates == ["received"])
    }

    /// Two steps, two steps and one can be put in 5! / (2! · 2!) orders.
    @Test func `every order is tried`() {
        #expect(self.exploreOrders(of: [.offerer, .poller, .closer], .unbounded).orders == 30)
        var rows: [[Int]] = []
        let runs = everyOrder { choices in
            let first = choices.choose(among: 2)
            rows.append(first == 0 ? [first] : [first, choices.choose(among: 3)])
        }
        #expect(runs == 4)
        #expect(rows == [[0], [1, 0], [1, 1], [1, 2]])
    }
}
