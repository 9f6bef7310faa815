// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The waits without a result in the scenarios of one check.
///
/// A bridge that keeps its source does so in each scenario. After some that waited in full, and reported it, the others
/// wait for the same much shorter: otherwise one mistake makes the suite take minutes.
///
/// Invariant: patience is short only for what the same bridge has been accused of, in the same check.
package final class VainWaits: Sendable {
    /// What is waited for in each scenario.
    ///
    /// Why not for answers too: a scenario in which the answer comes late must not be mixed up with one that hangs.
    package enum Kind: Int, CaseIterable, Sendable {
        /// That everything is released.
        case release
        /// That the threads come back from the bridge.
        case threads
        /// That the source of a consumer that has left is stopped.
        case stop
        /// That a second run of the same publisher ends, which takes the time in which the first could break a rule.
        case end
    }

    /// After this many waits without a result, the patience is short.
    package static let limit = 3

    private let counts = Mutex<[Kind: Int]>([:])
    private let total = Mutex(Duration.zero)

    private let hangCount = Mutex(0)

    package init() {}

    /// How many calls have not come back: their threads may take all cores.
    package var hangs: Int { self.hangCount.withLock { $0 } }

    /// Counts a call that has not come back.
    package func addHang() { self.hangCount.withLock { $0 += 1 } }

    /// How long has been waited without a result.
    ///
    /// The sum of what was patience, not the time that went by: on a busy machine that is no measure of the bridge.
    package var time: Duration { self.total.withLock { $0 } }

    /// Adds a wait without a result.
    func add(_ patience: Duration) { self.total.withLock { $0 += patience } }

    /// Counts a wait without a result, which is reported.
    package func add(_ kind: Kind) { self.counts.withLock { $0[kind, default: 0] += 1 } }

    /// How long to wait for something.
    package func patience(_ full: Duration, for kind: Kind) -> Duration {
        self.counts.withLock { $0[kind, default: 0] } < Self.limit ? full : full / 20
    }
}
