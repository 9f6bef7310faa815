// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Counts requests: each address has its own minute, which begins with its first request.
///
/// Invariant: holds only addresses that asked within the last two minutes.
struct Allowance {
    /// Whether a request may go on, and what the client should know.
    struct Verdict: Equatable {
        var isGranted: Bool
        var limit: Int
        var remaining: Int
        /// Rounded up.
        var secondsToReset: Int
    }

    private struct Count {
        var used: Int
        var start: ContinuousClock.Instant
    }

    private let limit: Int
    private var counts: [String: Count] = [:]
    private var lastSweep: ContinuousClock.Instant?

    /// How many addresses are remembered.
    var size: Int { self.counts.count }

    init(limit: Int) { self.limit = limit }

    /// Takes one request off what an address has left.
    mutating func take(for address: String, at now: ContinuousClock.Instant) -> Verdict {
        self.sweep(at: now)
        var count = self.counts[address] ?? Count(used: 0, start: now)
        if now - count.start >= .seconds(60) { count = Count(used: 0, start: now) }
        let isGranted = count.used < self.limit
        if isGranted { count.used += 1 }
        self.counts[address] = count
        let rest = .seconds(60) - (now - count.start)
        return Verdict(
            isGranted: isGranted,
            limit: self.limit,
            remaining: self.limit - count.used,
            secondsToReset: Int((rest.wholeMilliseconds + 999) / 1000)
        )
    }

    private mutating func sweep(at now: ContinuousClock.Instant) {
        guard let lastSweep else {
            self.lastSweep = now
            return
        }
        if now - lastSweep < .seconds(60) { return }
        self.lastSweep = now
        self.counts = self.counts.filter { now - $0.value.start < .seconds(60) }
    }
}
