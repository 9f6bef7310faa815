// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// Collects what a bridge does against the laws in one run of one scenario.
final class TrialReport: Sendable {
    let bridge: String
    let scenario: String

    /// The law that the scenario is mainly about.
    let law: Law

    private let collected = Mutex<[Violation]>([])

    init(bridge: String, scenario: String, law: Law) {
        self.bridge = bridge
        self.scenario = scenario
        self.law = law
    }

    var violations: [Violation] { self.collected.withLock { $0 } }

    func violation(of law: Law? = nil, _ explanation: String) {
        let violation = Violation(
            bridge: self.bridge,
            law: law ?? self.law,
            scenario: self.scenario,
            explanation: explanation
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
