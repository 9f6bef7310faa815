// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A course of events that a suite can play, and make simpler.
protocol LawHistory: Hashable, Sendable {
    /// The histories that are one change shorter or simpler, those first that leave out most.
    var simpler: [Self] { get }

    /// Whether threads race in it, so that it may go well the next time.
    var hasRace: Bool { get }
}

/// What was seen against the laws when a history was played.
struct HistoryFinding<History: LawHistory>: Sendable {
    let violation: Violation
    /// The events that were played, up to the violation.
    let history: History
    /// These events in words, with what the suite did to end the run.
    let steps: [String]
    /// Whether something did not come although it was waited for, which a busy machine can cause, too.
    let isTimed: Bool
}

/// Plays random histories on a bridge, up to the first with a violation, which is then made as short as possible.
struct HistorySearch<History: LawHistory>: Sendable {
    /// How many histories are played.
    let count: UInt64
    /// How long a bridge may seem to hang.
    let patience: Duration
    /// In which time histories are played, and made shorter.
    let time: LawTime
    /// Makes the history of a seed.
    let make: @Sendable (UInt64) -> History
    /// Whether the contract says what comes of a history.
    let admits: @Sendable (History) -> Bool
    /// Plays a history with so much patience, up to the first violation.
    let play: @Sendable (History, Duration) async -> HistoryFinding<History>?

    /// How many simpler histories are tried for one that failed.
    private static var attempts: Int { 80 }

    /// Plays the histories.
    ///
    /// - Parameter seed: The seed of the first history. That of each other is one more than that of the one before it.
    /// - Returns: The violation; empty if there is none.
    func run(from seed: UInt64) async -> [Violation] {
        for seed in (0..<self.count).map({ seed &+ $0 }) where self.time.isLeft {
            guard let found = await self.play(self.make(seed), self.patience),
                let confirmed = await self.confirm(found)
            else { continue }
            let isStuck = confirmed.isTimed ? await SwiftPool.isBlocked() : false
            let shortest = isStuck ? confirmed : await self.shrink(confirmed)
            let told = ToldHistory(steps: shortest.steps, seed: seed, again: "check(…, seed: \(seed))")
            return [shortest.violation.with(told)]
        }
        return []
    }

    /// Plays a history again whose violation is that something did not come in time.
    ///
    /// Invariant: no bridge is accused of a hang that was seen only once. A busy machine makes right ones slow.
    private func confirm(_ found: HistoryFinding<History>) async -> HistoryFinding<History>? {
        guard found.isTimed else { return found }
        // Then nothing goes well any more.
        if await SwiftPool.isBlocked() { return found }
        var last: HistoryFinding<History>?
        var missing = 2
        // A race goes well in most runs, a history without one in none.
        for attempt in 0..<(found.history.hasRace ? 10 : 2)
        where missing > 0 && (attempt < 2 || self.time.isLeft) {
            guard let again = await self.play(found.history, self.patience * 2) else { continue }
            if !again.isTimed { return again }
            last = again
            missing -= 1
        }
        return missing == 0 ? last : nil
    }

    // MARK: Shrinking

    /// Looks for a shorter history that breaks the same law.
    private func shrink(_ found: HistoryFinding<History>) async -> HistoryFinding<History> {
        var shortest = found
        let law = found.violation.law
        let time = self.time.butAtMost(.seconds(30))
        // Each hang takes all the patience, and there are many. So the second search is for a busy machine, on which
        // the first takes slow calls for hanging ones.
        for patience in [min(self.patience, .milliseconds(100)), self.patience] {
            let shorter = await self.shorterHistories(than: shortest.history, breaking: law, patience, time)
            // With all the patience, since a race may go well, too.
            for candidate in shorter.reversed() {
                guard let confirmed = await self.play(candidate, self.patience), confirmed.violation.law == law
                else { continue }
                shortest = confirmed
                break
            }
            if shorter.isEmpty || shorter.last == shortest.history || !time.isLeft { break }
        }
        return shortest
    }

    /// Histories that break a law, each simpler than the one before it.
    private func shorterHistories(
        than history: History,
        breaking law: Law,
        _ patience: Duration,
        _ time: LawTime
    ) async -> [History] {
        var found: [History] = []
        var attempts = Self.attempts
        // Behind the last one that was simpler. Those before it went well: they are tried again when all others have.
        var place = 0
        while true {
            let candidates = (found.last ?? history).simpler
            var next: History?
            for index in candidates.indices.map({ ($0 + place) % candidates.count })
            where next == nil && attempts > 0 && self.admits(candidates[index]) && time.isLeft {
                attempts -= 1
                guard let seen = await self.play(candidates[index], patience), seen.violation.law == law else {
                    continue
                }
                next = seen.history
                place = index
            }
            guard let next else { return found }
            found.append(next)
        }
    }
}
