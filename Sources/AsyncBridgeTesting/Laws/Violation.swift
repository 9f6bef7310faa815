// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A bridge's violation of a law.
public struct Violation: Hashable, Sendable {
    /// The name that the bridge was given in the check.
    public let bridge: String

    /// The law.
    public let law: Law

    /// The rule of another specification that expresses the law here, such as "Reactive Streams 1.1".
    public let rule: String?

    /// The name of the scenario in which it happened.
    public let scenario: String

    /// What was expected and what was seen.
    public let explanation: String

    /// What to do, or to look for.
    public let advice: String
}

extension Violation: CustomStringConvertible {
    /// One line with everything.
    public var description: String {
        "\(self.bridge), when \(self.scenario), breaks \(self.brokenText): \(self.explanation). "
            + "What to do: \(self.advice)."
    }

    private var brokenText: String { self.rule.map { "\($0), which is \(self.law)" } ?? "\(self.law)" }
}
