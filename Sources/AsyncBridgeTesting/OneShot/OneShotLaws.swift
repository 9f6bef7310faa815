// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The laws for bridges from one callback to one async result, as a suite that runs on any bridge.
///
/// ```swift
/// @Test func obeysTheLaws() async {
///     let violations = await OneShotLaws.check("fetchQuote") { source in
///         try await withCallback { callback in
///             source.start(callback.handler())
///         } onCancel: { handle in
///             handle.cancel()
///         }
///     }
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
public enum OneShotLaws {
    /// Runs the scenarios on a bridge.
    ///
    /// Scenarios with misuse, such as a second answer, are among them; what the bridge reports of it goes where such
    /// reports go. Switch a policy that traps off before.
    ///
    /// ## Isolation
    /// The bridge is called on threads and in tasks of the suite's own, so that it may block or hang without harm.
    ///
    /// - Parameters:
    ///   - name: The name of the bridge, for reports.
    ///   - promises: What the bridge promises. Scenarios about other things are left out.
    ///   - names: The scenarios to run, while you look for a mistake; `nil` runs all.
    ///   - bridge: Starts the source, waits for its answer, and returns or throws it. Called many times, some of them
    ///     at once.
    /// - Returns: What the bridge did against the laws; empty if it is right.
    public static func check(
        _ name: String,
        promises: OneShotPromises = .all,
        only names: Set<String>? = nil,
        _ bridge: nonisolated(nonsending) @escaping @Sendable (OneShotSource) async throws -> Int
    ) async -> [Violation] {
        var violations: [Violation] = []
        for scenario in self.scenarios where scenario.applies(promises) && names?.contains(scenario.name) != false {
            violations += await scenario.run(name, bridge, promises)
        }
        return violations
    }

    /// The names of the scenarios that are run on a bridge.
    ///
    /// - Parameter promises: What the bridge promises.
    /// - Returns: The names, in the order in which they are run.
    public static func scenarioNames(for promises: OneShotPromises = .all) -> [String] {
        self.scenarios.filter { $0.applies(promises) }.map(\.name)
    }

    static let scenarios: [OneShotScenario] =
        OneShotScenario.once + OneShotScenario.neverLost + OneShotScenario.cancellation + OneShotScenario.locks
        + OneShotScenario.isolation + OneShotScenario.errors + OneShotScenario.threads
}

/// A named course of events, and what must come of it.
struct OneShotScenario: Sendable {
    let name: String
    let law: Law
    let rounds: Int
    let applies: @Sendable (OneShotPromises) -> Bool
    let play: @Sendable (OneShotTrial) async -> Void

    init(
        _ name: String,
        _ law: Law,
        rounds: Int = 1,
        if applies: @escaping @Sendable (OneShotPromises) -> Bool = { _ in true },
        _ play: @escaping @Sendable (OneShotTrial) async -> Void
    ) {
        self.name = name
        self.law = law
        self.rounds = rounds
        self.applies = applies
        self.play = play
    }

    /// Plays all rounds, up to the first with a violation.
    func run(
        _ bridgeName: String,
        _ bridge: @escaping OneShotCall.Bridge,
        _ promises: OneShotPromises
    ) async -> [Violation] {
        for _ in 0..<self.rounds {
            let report = TrialReport(bridge: bridgeName, scenario: self.name, law: self.law)
            let trial = OneShotTrial(bridge, promises, report)
            await self.play(trial)
            await trial.finish()
            if !report.violations.isEmpty { return report.violations }
        }
        return []
    }
}
