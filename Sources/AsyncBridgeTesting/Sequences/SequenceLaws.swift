// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The laws for bridges from an API that calls back many times to an `AsyncSequence`, as a suite that runs on any
/// bridge.
///
/// ```swift
/// @Test func obeysTheLaws() async {
///     let violations = await SequenceLaws.check("locations") { source in
///         CallbackSequence<Int, any Error> { sink in
///             let handle = source.start(
///                 onElement: sink.handler(),
///                 onCompletion: { if let error = $0 { sink.fail(error) } else { sink.finish() } }
///             )
///             return { handle.cancel() }
///         }
///     }
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
public enum SequenceLaws {
    /// Runs the scenarios on a bridge, and after them random histories.
    ///
    /// A history is a course of events over one to three sequences. A model of the contract says after each event what
    /// must hold. A history that breaks a law is made as short as possible; see ``Violation/steps``. Histories are
    /// played if the scenarios found nothing, since they are there for what no scenario shows.
    ///
    /// Some scenarios misuse the bridge, for example with elements after the end. The bridge's reports of that go to
    /// their usual handler. Switch off a policy that traps first.
    ///
    /// ## Isolation
    /// The sequence is made, fed, consumed and cancelled on the suite's own threads and tasks, so that it may block or
    /// hang without harm. A thread that does not return is leaked, and the violation says so. If the bridge blocks all
    /// threads of Swift's pool for a minute after the check, the process ends, since the test runner would hang.
    ///
    /// - Parameters:
    ///   - name: The name of the bridge, for reports.
    ///   - promises: What the bridge promises. Scenarios about other things are left out.
    ///   - names: The scenarios to run, for debugging; `nil` runs all. A name that no scenario has ends the process.
    ///   - seed: The seed of the first history; see ``Violation/seed``. The same seed plays the same histories.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    ///   - bridge: Makes a sequence of the source's elements. Called many times; some sequences are iterated twice.
    /// - Returns: The bridge's violations of the laws; empty if it is correct.
    public static func check<S: AsyncSequence & SendableMetatype>(
        _ name: String,
        promises: SequencePromises = .standard,
        only names: Set<String>? = nil,
        seed: UInt64 = 1,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ bridge: @escaping @Sendable (SequenceSource) -> S
    ) async -> [Violation] where S.Element == Int {
        Scenario<SequenceTrial>.precheck(names, among: self.scenarios.map(\.name) + [Self.historiesName])
        let scenarios = self.scenarios.filter { $0.applies(promises) && names?.contains($0.name) != false }
        let judged = JudgedBridge(
            name,
            made: CallSite(fileID: fileID, line: line),
            notPromised: promises.notMade
        )
        return await SuiteThread.run {
            let traits =
                promises.takesSecondIterator
                ? await SequenceTraits.of(S.self, patience: promises.patience, bridge) : SequenceTraits(S.self)
            let time = LawTime.ofCheck
            let run = ScenarioRun(
                bridge: judged,
                patience: promises.patience,
                plainest: self.scenarios[0],
                time: time
            ) {
                SequenceTrial({ await $0.consume(bridge) }, promises, traits, $1, $0)
            }
            let violations = await run.run(scenarios)
            guard violations.isEmpty, names?.contains(Self.historiesName) != false else { return violations }
            return await Self.playHistories(from: seed, judged, in: time, promises, traits) {
                OneThreadSequence(bridge($0))
            }
        }
    }

    /// The names of the scenarios that are run on a bridge; the last stands for the random histories.
    ///
    /// - Parameter promises: What the bridge promises.
    /// - Returns: The names, in the order in which they are run.
    public static func scenarioNames(for promises: SequencePromises = .standard) -> [String] {
        self.scenarios.filter { $0.applies(promises) }.map(\.name) + [Self.historiesName]
    }

    static let scenarios =
        Self.once + Self.starts + Self.neverLost + Self.cancellation + Self.locks + Self.consumption + Self.teardown
        + Self.iterators + Self.backPressure + Self.races
}
