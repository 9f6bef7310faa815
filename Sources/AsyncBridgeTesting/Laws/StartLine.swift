// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// A place from which two threads go on at the same moment, in one round of many, each time a little earlier or later.
///
/// Why not a `Rendezvous`: it wakes one of the two by the system, microseconds after the other. Here both are awake.
package final class StartLine: Sendable {
    private let arrived = Atomic(0)
    private let delay: Int

    /// Makes a line for one round.
    ///
    /// - Parameters:
    ///   - round: The number of the round, from which the delay follows.
    ///   - delays: The delays of the first behind the second, in turns of a loop. Below zero, it is the second's.
    package init(round: Int, delays: Range<Int>) {
        self.delay = delays.lowerBound + Self.shuffled(round) % delays.count
    }

    /// The same numbers in each run, in no simple order.
    static func shuffled(_ round: Int) -> Int { round * 7919 }

    /// Waits for the second.
    package func first() { self.meet(delay: max(0, self.delay)) }

    /// Waits for the first.
    package func second() { self.meet(delay: max(0, -self.delay)) }

    private func meet(delay: Int) {
        self.arrived.add(1, ordering: .acquiringAndReleasing)
        var turns = 0
        while self.arrived.load(ordering: .acquiring) < 2 {
            turns += 1
            // The other thread needs a core, or is stuck in the bridge forever.
            if turns > 1_000 { yieldThread() }
            if turns > 1_000_000 { return }
        }
        for _ in 0..<delay { _ = self.arrived.load(ordering: .acquiring) }
    }
}
