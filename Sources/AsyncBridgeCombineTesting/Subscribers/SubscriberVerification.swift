// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
public import AsyncBridgeTesting

/// The rules of Reactive Streams for subscribers, as a suite that runs on any subscriber.
///
/// Subscribe to the publisher that the suite hands in, and return a closure that cancels:
///
/// ```swift
/// @Test func sinkObeysTheRules() async {
///     let promises = SubscriberPromises.standard.with { $0.cancelsEarly = false }
///     let violations = await SubscriberVerification("sink", promises: promises) { publisher in
///         let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
///         return { subscription.cancel() }
///     }
///     .check()
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
///
/// OpenCombine's `sink` does not keep `cancelsEarly`: it forgets a cancellation that comes before its subscription.
///
/// Operators between that publisher and the subscriber are verified with it.
public struct SubscriberVerification: Sendable {
    private let judged: JudgedBridge
    private let promises: SubscriberPromises
    private let subscribe: @Sendable (ScriptedPublisher) -> SubscriberHandle
    private var firstSeed: UInt64 = 0

    /// Verifies subscribers.
    ///
    /// - Parameters:
    ///   - name: The name of the subscriber, for reports.
    ///   - promises: What the subscriber promises. Scenarios about other things are left out.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    ///   - subscribe: Makes a subscriber, subscribes it, and returns a closure that cancels it. That closure is kept as
    ///     long as the subscriber is used, and may be called on any thread. It holds the subscriber, as an
    ///     `AnyCancellable` does. Only if the subscriber keeps its result, as a future does, it must hold it weakly:
    ///     the suite checks whether everything is released.
    public init(
        _ name: String,
        promises: SubscriberPromises = .standard,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ subscribe: @escaping @Sendable (ScriptedPublisher) -> () -> Void
    ) {
        let made = CallSite(fileID: fileID, line: line)
        self.judged = JudgedBridge(name, made: made, notPromised: promises.notMade)
        self.promises = promises
        self.subscribe = { SubscriberHandle(subscribe($0)) }
    }

    /// Plays other random histories, or one again that has failed.
    ///
    /// The suite plays the same histories each time, so that a test does not fail by chance. A violation that a history
    /// has shown names the seed that makes this history the first.
    ///
    /// ```swift
    /// let violations = await verification.seed(17).check(only: ["random histories are played"])
    /// ```
    ///
    /// - Parameter seed: The seed of the first history; the others count up from it. Defaults to 0.
    /// - Returns: The verification with these histories.
    public func seed(_ seed: UInt64) -> Self {
        var copy = self
        copy.firstSeed = seed
        return copy
    }

    /// Runs the scenarios.
    ///
    /// ## Isolation
    /// The subscribers are made and used on the suite's own threads, so that they may block or hang without harm. A
    /// thread that does not return is leaked, and the violation says so. If the subscriber blocks all threads of
    /// Swift's pool for a minute after the check, the process ends, since the test runner would hang.
    ///
    /// - Parameter names: The scenarios to run, for debugging; `nil` runs all. A name that no scenario has ends the
    ///   process.
    /// - Returns: The subscriber's violations of the rules; empty if it is correct.
    public func check(only names: Set<String>? = nil) async -> [Violation] {
        Scenario<SubscriberTrial>.precheck(names, among: Self.scenarios.map(\.name))
        return await SuiteThread.run {
            let run = ScenarioRun(
                bridge: self.judged,
                patience: self.promises.patience,
                plainest: Self.scenarios[0]
            ) { SubscriberTrial(self.subscribe, self.promises, seed: self.firstSeed, $1, $0) }
            return await run.run(self.applicable.filter { names?.contains($0.name) != false })
        }
    }

    /// The names of the scenarios that apply, in the order in which they are run.
    public var scenarioNames: [String] { self.applicable.map(\.name) }

    private var applicable: [Scenario<SubscriberTrial>] { Self.scenarios.filter { $0.applies(self.promises) } }

    static let scenarios = Self.signals + Self.cancellation + Self.histories
}

/// What cancels a subscriber, on its way between threads.
///
/// Safe: the user was told that it is called on other threads.
struct SubscriberHandle: @unchecked Sendable {
    let cancel: () -> Void

    init(_ cancel: @escaping () -> Void) { self.cancel = cancel }
}
#endif
