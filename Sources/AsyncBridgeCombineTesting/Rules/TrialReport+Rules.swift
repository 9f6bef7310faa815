// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeTesting

extension TrialReport {
    /// Reports what was seen against a rule.
    ///
    /// - Parameters:
    ///   - rule: The rule.
    ///   - explanation: What was expected and what was seen.
    ///   - advice: What to do; defaults to the rule's advice.
    ///   - history: The random history in which it was seen.
    func breach(
        of rule: ReactiveStreamsRule,
        _ explanation: String,
        advice: String? = nil,
        in history: ToldHistory? = nil
    ) {
        self.violation(
            of: rule.law,
            rule: rule.description,
            explanation,
            advice: advice ?? rule.advice,
            in: history
        )
    }
}

extension Scenario {
    /// Makes a scenario that is mainly about a rule.
    init(
        _ name: String,
        _ rule: ReactiveStreamsRule,
        rounds: Int = 1,
        if applies: @escaping @Sendable (Trial.Promises) -> Bool = { _ in true },
        _ play: @escaping @Sendable (Trial) async -> Void
    ) {
        self.init(
            name,
            rule.law,
            rule: rule.description,
            rounds: rounds,
            advice: rule.advice,
            if: applies,
            play
        )
    }
}
#endif
