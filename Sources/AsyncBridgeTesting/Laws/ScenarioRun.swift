// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The scenarios of one check, up to one after which the others would say nothing about their own laws.
package struct ScenarioRun<Trial: LawTrial>: Sendable {
    /// What reports say of the bridge.
    let bridge: JudgedBridge
    /// How long a bridge may seem to hang.
    let patience: Duration
    /// The plainest scenario: a bridge that has passed it, and then does not, is stuck.
    let plainest: Scenario<Trial>
    /// What the trials wait for without a result.
    let vainWaits = VainWaits()
    /// For how long a bridge is tried that is known to be wrong.
    let time: LawTime
    /// Makes the trial of a round, which reports what it sees.
    let makeTrial: @Sendable (TrialReport, VainWaits) -> Trial

    /// For how long may be waited without a result, in multiples of the patience.
    private static var budget: Int { 18 }

    /// How many calls may not come back.
    private static var hangs: Int { 6 }

    /// Why the other scenarios are not run after one that found something.
    private enum ReasonToStop {
        case poolIsBlocked
        case plainestFails(String)
        case waited(Duration)

        var text: String {
            switch self {
            case .poolIsBlocked: "no task gets a thread of Swift's pool any more"
            case .plainestFails(let name): "the bridge does not pass '\(name)' any more"
            case .waited(let time): "\(time.components.seconds) seconds were waited for what did not come"
            }
        }
    }

    package init(
        bridge: JudgedBridge,
        patience: Duration,
        plainest: Scenario<Trial>,
        time: LawTime = .ofCheck,
        _ makeTrial: @escaping @Sendable (TrialReport, VainWaits) -> Trial
    ) {
        self.bridge = bridge
        self.patience = patience
        self.plainest = plainest
        self.time = time
        self.makeTrial = makeTrial
    }

    /// Plays the scenarios.
    ///
    /// - Returns: What was seen against the laws; empty if all is right. If scenarios were not run, the first violation
    ///   of the last one that was run says so, or the first of all if there was no more time.
    package func run(_ scenarios: [Scenario<Trial>]) async -> [Violation] {
        var violations: [Violation] = []
        var hasPassedPlainest = false
        for (index, scenario) in scenarios.enumerated() {
            let before = self.vainWaits.time
            var found = await self.play(scenario, violations.isEmpty ? LawTime() : self.time)
            if found.isEmpty, scenario.name == self.plainest.name { hasPassedPlainest = true }
            let rest = scenarios[(index + 1)...].map(\.name)
            if !found.isEmpty, !rest.isEmpty, self.vainWaits.time > before,
                let reason = await self.reasonToStop(hasPassedPlainest: hasPassedPlainest)
            {
                if case .poolIsBlocked = reason { found[0] = found[0].becauseOfBlockedPool }
                found[0] = found[0].with(notRun: rest, since: reason.text)
                return violations + found
            }
            violations += found
            if !violations.isEmpty, !rest.isEmpty, let reason = await self.reasonToGiveUp() {
                violations[0] = violations[0].with(notRun: rest, since: reason)
                return violations
            }
        }
        return violations
    }

    /// Why a bridge that is known to be wrong is not tried any longer.
    private func reasonToGiveUp() async -> String? {
        let hangs = self.vainWaits.hangs
        if hangs >= Self.hangs { return "\(hangs) calls have not come back" }
        guard !self.time.isLeft else { return nil }
        // On a busy machine right bridges are slow, too.
        if !self.time.isOver, await MachinePace.isSlow(patience: self.patience) { return nil }
        return "more than \(LawTime.secondsOfCheck) seconds went by"
    }

    private func play(_ scenario: Scenario<Trial>, _ time: LawTime) async -> [Violation] {
        await scenario.run(self.bridge, time) { self.makeTrial($0, self.vainWaits) }
    }

    /// Why the other scenarios are not to be run.
    ///
    /// Invariant: a bridge is not accused of what only follows from an earlier violation.
    private func reasonToStop(hasPassedPlainest: Bool) async -> ReasonToStop? {
        if await SwiftPool.isBlocked() { return .poolIsBlocked }
        if hasPassedPlainest, await !self.play(self.plainest, self.time).isEmpty {
            return .plainestFails(self.plainest.name)
        }
        let time = self.vainWaits.time
        return time > self.patience * Self.budget ? .waited(time) : nil
    }
}
