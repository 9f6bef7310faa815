// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// One run of one scenario: the bridge, and what is seen of it.
protocol LawTrial: Sendable {
    /// What the bridge may promise.
    associatedtype Promises: Sendable

    /// Ends the run: nothing may be left over, and the numbers must be right.
    func finish() async
}

/// A named course of events, and what must come of it.
struct Scenario<Trial: LawTrial>: Sendable {
    let name: String
    let law: Law
    let rounds: Int
    let applies: @Sendable (Trial.Promises) -> Bool
    let play: @Sendable (Trial) async -> Void

    init(
        _ name: String,
        _ law: Law,
        rounds: Int = 1,
        if applies: @escaping @Sendable (Trial.Promises) -> Bool = { _ in true },
        _ play: @escaping @Sendable (Trial) async -> Void
    ) {
        self.name = name
        self.law = law
        self.rounds = rounds
        self.applies = applies
        self.play = play
    }

    /// Plays all rounds, up to the first with a violation.
    ///
    /// - Parameters:
    ///   - bridgeName: The name of the bridge, for reports.
    ///   - makeTrial: Makes the trial of a round, which reports what it sees.
    /// - Returns: What was seen against the laws; empty if all is right.
    func run(_ bridgeName: String, _ makeTrial: (TrialReport) -> Trial) async -> [Violation] {
        for _ in 0..<self.rounds {
            let report = TrialReport(bridge: bridgeName, scenario: self.name, law: self.law)
            let trial = makeTrial(report)
            await self.play(trial)
            await trial.finish()
            if !report.violations.isEmpty { return report.violations }
        }
        return []
    }
}
