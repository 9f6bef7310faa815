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

    /// The events that led to it, if it happened in a random history: the fewest that the suite found.
    public private(set) var steps: [String] = []

    /// The seed of that history, with which the suite plays it again.
    public private(set) var seed: UInt64?

    /// Makes a copy that tells the history.
    func with(steps: [String], seed: UInt64) -> Violation {
        var copy = self
        copy.steps = steps
        copy.seed = seed
        return copy
    }
}

extension Violation: CustomStringConvertible {
    /// One line with everything; under it, the steps of a random history, one a line, and its seed.
    public var description: String {
        let steps = zip(1..., self.steps).map { "\n  \($0). \($1)" }.joined()
        return self.sentence + steps + (self.seed.map { "\n  To run it again: check(…, seed: \($0))" } ?? "")
    }

    private var sentence: String {
        "\(self.bridge), when \(self.scenario), breaks \(self.brokenText): \(self.explanation). "
            + "What to do: \(self.advice)."
    }

    private var brokenText: String { self.rule.map { "\($0), which is \(self.law)" } ?? "\(self.law)" }
}
