// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Collects what a bridge does against the laws in one run of one scenario.
package final class TrialReport: Sendable {
    package let bridge: JudgedBridge
    package let scenario: String

    /// The law that the scenario is mainly about.
    package let law: Law

    /// The rule of another specification that the scenario is mainly about.
    private let rule: String?

    /// What to do about a violation of that law, if the scenario knows more than the law.
    private let advice: String?

    private let collected = Mutex<[Violation]>([])

    package init(bridge: JudgedBridge, scenario: String, law: Law, rule: String? = nil, advice: String? = nil) {
        self.bridge = bridge
        self.scenario = scenario
        self.law = law
        self.rule = rule
        self.advice = advice
    }

    package var violations: [Violation] { self.collected.withLock { $0 } }

    /// Reports what was seen against a law.
    ///
    /// - Parameters:
    ///   - law: The law; defaults to that of the scenario.
    ///   - rule: The rule that says what the law means here; defaults to the scenario's rule about its own law.
    ///   - explanation: What was expected and what was seen.
    ///   - advice: What to do; defaults to the scenario's advice about its own law, or to the law's.
    ///   - history: The random history in which it was seen.
    package func violation(
        of law: Law? = nil,
        rule: String? = nil,
        _ explanation: String,
        advice: String? = nil,
        in history: ToldHistory? = nil
    ) {
        let isMain = law == nil && rule == nil
        let law = law ?? self.law
        var violation = Violation(
            of: law,
            rule: rule ?? (isMain ? self.rule : nil),
            by: self.bridge,
            in: self.scenario,
            explanation: explanation,
            advice: advice ?? (law == self.law ? self.advice : nil) ?? law.advice
        )
        if let history { violation = violation.with(history) }
        // A hundred calls may break one law in one way.
        self.collected.withLock { [violation] in if !$0.contains(violation) { $0.append(violation) } }
    }

    /// Reports a number that is not as it should be.
    package func check(
        _ seen: Int,
        within expected: ClosedRange<Int>,
        of law: Law,
        _ what: String,
        advice: String? = nil
    ) {
        guard !expected.contains(seen) else { return }
        let wanted =
            expected.count == 1 ? "\(expected.lowerBound)" : "\(expected.lowerBound) to \(expected.upperBound)"
        self.violation(of: law, "expected \(what): \(wanted), saw \(seen)", advice: advice)
    }
}
