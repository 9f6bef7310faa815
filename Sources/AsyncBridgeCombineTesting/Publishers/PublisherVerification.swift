// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
public import AsyncBridgeTesting
public import OpenCombineShim

/// The rules of Reactive Streams for publishers and their subscriptions, as a suite that runs on any publisher.
///
/// Say how to make publishers of the elements 0, 1, 2 and so on, and what else yours can do:
///
/// ```swift
/// @Test func obeysTheRules() async {
///     let promises = PublisherPromises.standard.with { $0.stopsAtOnce = false }
///     let violations = await PublisherVerification("numbers", promises: promises) { count in
///         (0..<count).publisher
///     }
///     .endless { (0...).publisher }
///     .check()
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
///
/// Those publishers do not keep `stopsAtOnce`: cancelled by the last element, they still send the end.
///
/// A publisher of elements from elsewhere is driven by hand:
///
/// ```swift
/// let verification = PublisherVerification.driven("subject", promises: .subject) { driver in
///     let subject = PassthroughSubject<Int, SourceError>()
///     driver.onEvent { event in
///         switch event {
///         case .element(let element): subject.send(element)
///         case .finished: subject.send(completion: .finished)
///         case .failed(let error): subject.send(completion: .failure(error))
///         @unknown default: break
///         }
///     }
///     return subject
/// }
/// ```
///
/// A subscription is verified with the publisher that hands it out.
public struct PublisherVerification: Sendable {
    private let name: String
    private let made: CallSite
    private let promises: PublisherPromises
    private var cases: PublisherCases
    private var firstSeed: UInt64 = 0

    private init(_ name: String, _ made: CallSite, _ promises: PublisherPromises, _ cases: PublisherCases) {
        self.name = name
        self.made = made
        self.promises = promises
        self.cases = cases
    }

    // MARK: What to verify

    /// Verifies publishers of numbers.
    ///
    /// - Parameters:
    ///   - name: The name of the publisher, for reports.
    ///   - promises: What the publisher promises. Scenarios about other things are left out.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    ///   - elements: Makes a publisher of the given number of elements, which are the numbers from 0, and of the end.
    public init<P: Publisher & SendableMetatype>(
        _ name: String,
        promises: PublisherPromises = .standard,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        elements: @escaping @Sendable (_ count: Int) -> P
    ) where P.Output == Int {
        self.init(name, promises: promises, fileID: fileID, line: line, number: { $0 }, elements: elements)
    }

    /// Verifies publishers of anything that can be numbered.
    ///
    /// - Parameters:
    ///   - name: The name of the publisher, for reports.
    ///   - promises: What the publisher promises. Scenarios about other things are left out.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    ///   - number: The place of an element in its publisher, from 0.
    ///   - elements: Makes a publisher of the given number of elements, and of the end.
    public init<P: Publisher & SendableMetatype>(
        _ name: String,
        promises: PublisherPromises = .standard,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        number: @escaping @Sendable (P.Output) -> Int,
        elements: @escaping @Sendable (_ count: Int) -> P
    ) {
        let cases = PublisherCases(elements: { PublisherUnderTest(elements($0), number) })
        self.init(name, CallSite(fileID: fileID, line: line), promises, cases)
    }

    /// Verifies publishers that send the driver's events, and only those.
    ///
    /// - Parameters:
    ///   - name: The name of the publisher, for reports.
    ///   - promises: What the publisher promises. Scenarios about other things are left out.
    ///   - fileID: The caller's file, for reports.
    ///   - line: The caller's line, for reports.
    ///   - make: Makes a publisher that sends the driver's events.
    /// - Returns: The verification of these publishers.
    public static func driven<P: Publisher & SendableMetatype>(
        _ name: String,
        promises: PublisherPromises = .standard,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ make: @escaping @Sendable (PublisherDriver) -> P
    ) -> Self where P.Output == Int {
        Self(name, CallSite(fileID: fileID, line: line), promises, PublisherCases()).driven(make)
    }

    /// Also verifies publishers that fail.
    ///
    /// - Parameter make: Makes a publisher of the given number of elements, from 0, which then fails with the error.
    /// - Returns: The verification with these publishers.
    public func failing<P: Publisher & SendableMetatype>(
        _ make: @escaping @Sendable (_ count: Int, _ error: SourceError) -> P
    ) -> Self where P.Output == Int {
        self.with { $0.cases.failing = { PublisherUnderTest(make($0, $1)) { $0 } } }
    }

    /// Also verifies publishers that never end.
    ///
    /// - Parameter make: Makes a publisher of all numbers from 0.
    /// - Returns: The verification with these publishers.
    public func endless<P: Publisher & SendableMetatype>(_ make: @escaping @Sendable () -> P) -> Self
    where P.Output == Int {
        self.with { $0.cases.endless = { PublisherUnderTest(make()) { $0 } } }
    }

    /// Also verifies publishers that send the driver's events.
    ///
    /// - Parameter make: Makes a publisher that sends the driver's events.
    /// - Returns: The verification with these publishers.
    public func driven<P: Publisher & SendableMetatype>(
        _ make: @escaping @Sendable (PublisherDriver) -> P
    ) -> Self where P.Output == Int {
        self.with { verification in
            verification.cases.driven = { PublisherUnderTest(make($0)) { $0 } }
            verification.cases.drivenFails = P.Failure.self != Never.self
        }
    }

    /// Plays other random histories, or one again that has failed.
    ///
    /// The suite plays the same histories each time, so that a test does not fail by chance. A violation that a history
    /// has shown names the seed that makes this history the first.
    ///
    /// ```swift
    /// let again = verification.seed(17)
    /// let others = verification.seed(.random(in: 0 ... .max))
    /// ```
    ///
    /// - Parameter seed: The seed of the first history; the others count up from it. Defaults to 0.
    /// - Returns: The verification with these histories.
    public func seed(_ seed: UInt64) -> Self { self.with { $0.firstSeed = seed } }

    // MARK: Verifying

    /// Runs the scenarios.
    ///
    /// ## Isolation
    /// The publishers are made and used on the suite's own threads, so that they may block or hang without harm. A
    /// thread that does not return is leaked, and the violation says so. If the publisher blocks all threads of Swift's
    /// pool for a minute after the check, the process ends, since the test runner would hang.
    ///
    /// - Parameter names: The scenarios to run, for debugging; `nil` runs all. A name that no scenario has ends the
    ///   process.
    /// - Returns: The publisher's violations of the rules; empty if it is correct.
    /// - Complexity: O(`recursionCount`) elements of the publisher, if it can have as many.
    public func check(only names: Set<String>? = nil) async -> [Violation] {
        Scenario<PublisherTrial>.precheck(names, among: Self.scenarios.map(\.name))
        return await SuiteThread.run {
            let traits = self.traits
            let run = ScenarioRun(
                bridge: self.judged,
                patience: self.promises.patience,
                plainest: Self.scenarios[0]
            ) { PublisherTrial(traits, $1, $0) }
            return await run.run(self.applicable.filter { names?.contains($0.name) != false })
        }
    }

    /// The names of the scenarios that apply, in the order in which they are run.
    public var scenarioNames: [String] { self.applicable.map(\.name) }

    private var judged: JudgedBridge {
        JudgedBridge(self.name, made: self.made, notPromised: self.traits.notPromised)
    }

    private var traits: PublisherTraits {
        PublisherTraits(promises: self.promises, cases: self.cases, seed: self.firstSeed)
    }

    private var applicable: [Scenario<PublisherTrial>] {
        let traits = self.traits
        return Self.scenarios.filter { $0.applies(traits) }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    static let scenarios =
        Self.subscribing + Self.demand + Self.recursion + Self.ends + Self.cancellation + Self.release + Self.threads
        + Self.several + Self.severalDriven + Self.driving + Self.drivingMany + Self.drivingEnds + Self.histories
}
#endif
