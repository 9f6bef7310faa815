// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// A bridge's violation of a law.
public struct Violation: Hashable, Sendable {
    /// The name that the bridge was given in the check.
    public let bridge: String

    /// Where the bridge was described: the call of `check`, or that which makes a verification.
    public let made: BridgeDiagnostics.CallSite

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

    /// What `.standard` promises and the bridge does not, so that it was not tested: names of promises.
    public let notPromised: [String]

    /// Why they were not run.
    private(set) var reason: String?

    /// The call that plays the history again.
    private var again: String?

    /// Makes a violation that has happened in a scenario, outside a history.
    init(
        of law: Law,
        rule: String?,
        by bridge: JudgedBridge,
        in scenario: String,
        explanation: String,
        advice: String
    ) {
        self.bridge = bridge.name
        self.made = bridge.made
        self.law = law
        self.rule = rule
        self.scenario = scenario
        self.explanation = explanation
        self.advice = advice
        self.notPromised = bridge.notPromised
    }

    /// Makes a copy that says what was not run after it.
    func with(notRun names: [String], since reason: String) -> Violation {
        var copy = self
        copy.notRun = names
        copy.reason = reason
        return copy
    }

    /// A copy that says that no task gets a thread of Swift's pool.
    ///
    /// Then that is the law that is broken, and what did not come is its consequence. A lock, or a blocked thread, that
    /// was seen to be the reason stays it.
    var becauseOfBlockedPool: Violation {
        guard self.law != .noLocks, self.law != .noBlocking else { return self }
        var copy = Violation(
            of: .noBlocking,
            rule: nil,
            by: JudgedBridge(self.bridge, made: self.made, notPromised: self.notPromised),
            in: self.scenario,
            explanation: "\(self.explanation): \(SwiftPool.isBlockedText)",
            advice: Law.noBlocking.advice
        )
        (copy.steps, copy.seed, copy.again) = (self.steps, self.seed, self.again)
        return copy
    }

    /// Makes a copy that tells the history.
    func with(_ history: ToldHistory) -> Violation {
        var copy = self
        copy.steps = history.steps
        copy.seed = history.seed
        copy.again = history.again
        return copy
    }
}

extension Violation: CustomStringConvertible {
    /// One line with what happened and what to do; under it, the steps of a random history, one a line, and how to play
    /// it again; or what was not run because of it; what was not promised; and where the bridge was described.
    public var description: String {
        let steps = zip(1..., self.steps).map { "\n  \($0). \($1)" }.joined()
        let again = self.again.map { "\n  To run it again: \($0)" } ?? ""
        let notRun = self.reason.map { "\n  Not run, since \($0): \(self.notRunText)" } ?? ""
        let notPromised =
            self.notPromised.isEmpty
            ? "" : "\n  Not promised, so not tested: \(self.notPromised.joined(separator: ", "))"
        return self.sentence + steps + again + notRun + notPromised + "\n  Made at \(self.made)"
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
