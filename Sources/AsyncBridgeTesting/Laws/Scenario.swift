// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// One run of one scenario: the bridge, and what is seen of it.
package protocol LawTrial: Sendable {
    /// What the bridge may promise.
    associatedtype Promises: Sendable

    /// Ends the run: nothing may be left over, and the numbers must be right.
    func finish() async
}

/// A named course of events, and what must come of it.
package struct Scenario<Trial: LawTrial>: Sendable {
    package let name: String
    package let law: Law
    /// The rule of another specification that says what the law means here.
    package let rule: String?
    package let rounds: Int
    /// What to do about a violation of the law, where more can be said than the law's own advice.
    package let advice: String?
    package let applies: @Sendable (Trial.Promises) -> Bool
    package let play: @Sendable (Trial) async -> Void

    package init(
        _ name: String,
        _ law: Law,
        rule: String? = nil,
        rounds: Int = 1,
        advice: String? = nil,
        if applies: @escaping @Sendable (Trial.Promises) -> Bool = { _ in true },
        _ play: @escaping @Sendable (Trial) async -> Void
    ) {
        self.name = name
        self.law = law
        self.rule = rule
        self.rounds = rounds
        self.advice = advice
        self.applies = applies
        self.play = play
    }

    /// Ends the process if names are asked for that no scenario has: a check of nothing would find nothing.
    package static func precheck(_ names: Set<String>?, among all: [String]) {
        let unknown = (names ?? []).subtracting(all).sorted()
        precondition(
            unknown.isEmpty,
            "There is no scenario '\(unknown.first ?? "")'. The names are in scenarioNames, and in each violation"
        )
    }

    /// Plays all rounds, up to the first with a violation, or as many as there is time for.
    ///
    /// - Parameters:
    ///   - bridge: What reports say of the bridge.
    ///   - time: The time for all rounds but the first.
    ///   - makeTrial: Makes the trial of a round, which reports what it sees.
    /// - Returns: What was seen against the laws; empty if all is right.
    func run(_ bridge: JudgedBridge, _ time: LawTime, _ makeTrial: (TrialReport) -> Trial) async -> [Violation] {
        for round in 0..<self.rounds where round == 0 || time.isLeft {
            let report = TrialReport(
                bridge: bridge,
                scenario: self.name,
                law: self.law,
                rule: self.rule,
                advice: self.advice
            )
            let trial = makeTrial(report)
            await self.play(trial)
            await trial.finish()
            if !report.violations.isEmpty { return report.violations }
        }
        return []
    }
}

/// The time in which a scenario may repeat what it does: a bridge that is slow must not make the suite take hours.
///
/// Each scenario is played once, however long that takes.
package struct LawTime: Sendable {
    private let end: ContinuousClock.Instant
    private let lastEnd: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Makes a time that begins now.
    ///
    /// - Parameters:
    ///   - time: How long it is on a machine that is not busy.
    ///   - now: What time it is.
    package init(_ time: Duration = .seconds(60), now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.init(end: now() + time, lastEnd: now() + time * 3, now: now)
    }

    private init(
        end: ContinuousClock.Instant,
        lastEnd: ContinuousClock.Instant,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.end = end
        self.lastEnd = lastEnd
        self.now = now
    }

    /// The time of a whole check of a bridge that is known to be wrong, or of one that hangs.
    ///
    /// Less than the minute in which such a check should be over, since what has begun goes on to its end.
    package static var ofCheck: LawTime { LawTime(.seconds(Self.secondsOfCheck)) }

    /// How many seconds ``ofCheck`` is long.
    package static var secondsOfCheck: Int { 45 }

    /// Whether there is time.
    ///
    /// On a busy machine it has gone to others, so there is more, up to three times as much.
    var isLeft: Bool {
        let now = self.now()
        return now < self.end || now < self.lastEnd && MachinePace.keepsThisThreadWaiting
    }

    /// Whether there is no time even on a busy machine.
    var isOver: Bool { self.now() >= self.lastEnd }

    /// This time, or another one that begins now, if that ends later.
    func orAtLeast(_ time: Duration) -> LawTime {
        LawTime(
            end: max(self.end, self.now() + time),
            lastEnd: max(self.lastEnd, self.now() + time * 3),
            now: self.now
        )
    }

    /// This time, or another one that begins now, if that ends earlier.
    func butAtMost(_ time: Duration) -> LawTime {
        LawTime(
            end: min(self.end, self.now() + time),
            lastEnd: min(self.lastEnd, self.now() + time * 3),
            now: self.now
        )
    }
}
