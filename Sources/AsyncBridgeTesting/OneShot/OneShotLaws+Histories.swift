// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// All laws at once: what nobody has thought of.

extension OneShotLaws {
    /// The name under which the random histories are run.
    static let historiesName = "calls, answers and cancellations come in random order"

    /// How many histories are played.
    static let historyCount: UInt64 = 60

    /// How many simpler histories are tried for one that failed.
    private static let attempts = 80

    /// Plays random histories on a bridge, up to the first with a violation, which is then made as short as possible.
    ///
    /// - Parameters:
    ///   - seed: The seed of the first history. That of each other is one more than that of the one before it.
    ///   - name: The name of the bridge, for reports.
    ///   - promises: What the bridge promises.
    ///   - bridge: The bridge.
    /// - Returns: The violation; empty if there is none.
    static func playHistories(
        from seed: UInt64,
        _ name: String,
        _ promises: OneShotPromises,
        _ bridge: @escaping OneShotCall.Bridge
    ) async -> [Violation] {
        for seed in (0..<Self.historyCount).map({ seed &+ $0 }) {
            let history = OneShotHistory.random(seed: seed, for: promises)
            guard let violation = await Self.play(history, name, promises, bridge) else { continue }
            let (shortest, shown) = await Self.shrink(history, violation, name, promises, bridge)
            return [shown.with(steps: shortest.steps, seed: seed)]
        }
        return []
    }

    private static func play(
        _ history: OneShotHistory,
        _ name: String,
        _ promises: OneShotPromises,
        _ bridge: @escaping OneShotCall.Bridge
    ) async -> Violation? {
        let report = TrialReport(bridge: name, scenario: Self.historiesName, law: .once)
        await OneShotHistoryPlayer.play(history, OneShotTrial(bridge, promises, VainWaits(), report))
        return report.violations.first
    }

    /// Looks for a shorter history that breaks the same law.
    private static func shrink(
        _ history: OneShotHistory,
        _ violation: Violation,
        _ name: String,
        _ promises: OneShotPromises,
        _ bridge: @escaping OneShotCall.Bridge
    ) async -> (OneShotHistory, Violation) {
        var shortest = (history, violation)
        // Each hang takes all the patience, and there are many. So the second search is for a busy machine, on which
        // the first takes slow calls for hanging ones.
        for patience in [min(promises.patience, .milliseconds(100)), promises.patience] {
            let shorter = await Self.shorterHistories(
                than: shortest.0,
                breaking: violation.law,
                name,
                promises.with { $0.patience = patience },
                bridge
            )
            // With all the patience, since a race may go well, too.
            for candidate in shorter.reversed() {
                guard let confirmed = await Self.play(candidate, name, promises, bridge),
                    confirmed.law == violation.law
                else { continue }
                shortest = (candidate, confirmed)
                break
            }
            if shorter.isEmpty || shorter.last == shortest.0 { break }
        }
        return shortest
    }

    /// Histories that break a law, each simpler than the one before it.
    private static func shorterHistories(
        than history: OneShotHistory,
        breaking law: Law,
        _ name: String,
        _ promises: OneShotPromises,
        _ bridge: @escaping OneShotCall.Bridge
    ) async -> [OneShotHistory] {
        var found: [OneShotHistory] = []
        var attempts = Self.attempts
        while attempts > 0 {
            var next: OneShotHistory?
            for candidate in (found.last ?? history).simpler where OneShotModel.admits(candidate, promises) {
                attempts -= 1
                if await Self.play(candidate, name, promises, bridge)?.law == law { next = candidate }
                if next != nil || attempts == 0 { break }
            }
            guard let next else { break }
            found.append(next)
        }
        return found
    }
}
