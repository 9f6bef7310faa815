// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What was measured of one ``Entrant``.
struct Measurement {
    /// Nanoseconds per operation, one figure per round, ascending.
    private let rounds: [Double]

    /// Allocated blocks per operation, where that can be counted.
    let allocations: Double?

    init(rounds: [Double], allocations: Double?) {
        self.rounds = rounds.sorted()
        self.allocations = allocations
    }

    /// The fastest round: what the work costs when nothing else disturbs it.
    var best: Double { self.rounds[0] }

    /// The round in the middle.
    var median: Double { self.rounds[self.rounds.count / 2] }

    /// By how much the slowest round was slower than the fastest, as a fraction of the fastest.
    var spread: Double { (self.rounds[self.rounds.count - 1] - self.best) / self.best }
}
