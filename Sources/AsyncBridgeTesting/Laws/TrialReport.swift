// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Collects what a bridge does against the laws in one run of one scenario.
final class TrialReport: Sendable {
    let bridge: String
    let scenario: String

    /// The law that the scenario is mainly about.
    let law: Law

    /// What to do about a violation of that law, if the scenario knows more than the law.
    private let advice: String?

    private let collected = Mutex<[Violation]>([])

    init(bridge: String, scenario: String, law: Law, advice: String? = nil) {
        self.bridge = bridge
        self.scenario = scenario
        self.law = law
        self.advice = advice
    }

    var violations: [Violation] { self.collected.withLock { $0 } }

    /// Reports what was seen against a law.
    ///
    /// - Parameters:
    ///   - law: The law; defaults to that of the scenario.
    ///   - explanation: What was expected and what was seen.
    ///   - advice: What to do; defaults to the scenario's advice about its own law, or to the law's.
    func violation(of law: Law? = nil, _ explanation: String, advice: String? = nil) {
        let law = law ?? self.law
        let violation = Violation(
            bridge: self.bridge,
            law: law,
            scenario: self.scenario,
            explanation: explanation,
            advice: advice ?? (law == self.law ? self.advice : nil) ?? law.advice
        )
        // A hundred calls may break one law in one way.
        self.collected.withLock { if !$0.contains(violation) { $0.append(violation) } }
    }

    /// Reports a number that is not as it should be.
    func check(_ seen: Int, within expected: ClosedRange<Int>, of law: Law, _ what: String) {
        guard !expected.contains(seen) else { return }
        let wanted =
            expected.count == 1 ? "\(expected.lowerBound)" : "\(expected.lowerBound) to \(expected.upperBound)"
        self.violation(of: law, "expected \(what): \(wanted), saw \(seen)")
    }
}
