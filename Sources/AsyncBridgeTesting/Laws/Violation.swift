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

    /// The names of the scenarios that were not run because of it.
    ///
    /// A bridge that blocks threads for good, or that answers no call any more, would fail in them whatever it does
    /// about their laws.
    public private(set) var notRun: [String] = []

    /// What `.all` promises and the bridge does not, so that it was not tested: names of promises.
    public private(set) var notPromised: [String] = []

    /// Why they were not run.
    private(set) var reason: String?

    /// Makes a copy that says what was not run after it.
    func with(notRun names: [String], since reason: String) -> Violation {
        var copy = self
        copy.notRun = names
        copy.reason = reason
        return copy
    }

    /// Makes a copy that says what was not promised.
    func with(notPromised promises: [String]) -> Violation {
        var copy = self
        copy.notPromised = promises
        return copy
    }

    /// Makes a copy that tells the history.
    func with(steps: [String], seed: UInt64) -> Violation {
        var copy = self
        copy.steps = steps
        copy.seed = seed
        return copy
    }
}

extension Violation: CustomStringConvertible {
    /// One line with everything; under it, the steps of a random history, one a line, and its seed; or what was not run
    /// because of it; and what was not promised.
    public var description: String {
        let steps = zip(1..., self.steps).map { "\n  \($0). \($1)" }.joined()
        let seed = self.seed.map { "\n  To run it again: check(…, seed: \($0))" } ?? ""
        let notRun = self.reason.map { "\n  Not run, since \($0): \(self.notRunText)" } ?? ""
        let notPromised =
            self.notPromised.isEmpty
            ? "" : "\n  Not promised, so not tested: \(self.notPromised.joined(separator: ", "))"
        return self.sentence + steps + seed + notRun + notPromised
    }

    private var notRunText: String {
        let first = self.notRun.first.map { "'\($0)'" } ?? ""
        switch self.notRun.count - 1 {
        case ..<1: return first
        case 1: return "\(first) and the one after it"
        case let count: return "\(first) and the \(count) scenarios after it"
        }
    }

    private var sentence: String {
        "\(self.bridge), when \(self.scenario), breaks \(self.brokenText): \(self.explanation). "
            + "What to do: \(self.advice)."
    }

    private var brokenText: String { self.rule.map { "\($0), which is \(self.law)" } ?? "\(self.law)" }
}
