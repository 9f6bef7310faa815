// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Records what happens, and checks that numbered steps happen in their order.
///
/// A test numbers the places in its code in the order in which they must be reached, on any thread or task:
///
/// ```swift
/// let log = EventLog()
/// log.expect(1)
/// let task = Task(executorPreference: executor) { log.expect(3) }
/// log.expect(2)
/// executor.run()
/// log.finish(4)
/// #expect(log.violations.isEmpty, "\(log.violations)")
/// ```
///
/// Nothing is asserted: mistakes are in ``violations``, for the test framework of your choice.
///
/// Isolation: may be used on any thread.
public final class EventLog: Sendable {
    struct State: Sendable {
        var events: [String] = []
        var violations: [String] = []
        var nextStep = 1
        var isFinished = false

        mutating func pass(_ step: Int, _ site: CallSite) {
            self.events.append("\(step)")
            if self.isFinished {
                self.violations.append("step \(step) at \(site) came after the last one")
            } else if step != self.nextStep {
                self.violations.append("step \(step) at \(site) came when it was the turn of step \(self.nextStep)")
            }
            // Go on from here, so that one mistake is reported once.
            self.nextStep = step + 1
        }
    }

    private let state = Watched(State())

    /// Makes an empty log.
    public init() {}

    /// Records that a step is reached.
    ///
    /// - Parameters:
    ///   - step: The number of the step. The first is 1.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    public func expect(_ step: Int, fileID: StaticString = #fileID, line: UInt = #line) {
        self.state.update { $0.pass(step, CallSite(fileID: fileID, line: line)) }
    }

    /// Records that the last step is reached.
    ///
    /// - Parameters:
    ///   - step: The number of the step.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    public func finish(_ step: Int, fileID: StaticString = #fileID, line: UInt = #line) {
        self.state.update { state in
            state.pass(step, CallSite(fileID: fileID, line: line))
            state.isFinished = true
        }
    }

    /// Records that code is reached that never must be.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    public func unreached(fileID: StaticString = #fileID, line: UInt = #line) {
        self.state.update { state in
            state.events.append("unreached")
            state.violations.append("\(CallSite(fileID: fileID, line: line)) was reached and must not be")
        }
    }

    /// Records an event that has no place in the order.
    ///
    /// - Parameter event: The event, in words.
    public func record(_ event: String) { self.state.update { $0.events.append(event) } }

    /// Everything that was recorded so far, steps included, oldest first.
    public var events: [String] { self.state.value.events }

    /// What was wrong with the steps, oldest first.
    ///
    /// A missing last step is not a violation until ``finished()`` is called.
    public var violations: [String] { self.state.value.violations }

    /// What was wrong with the steps, a missing last step included: for the end of a test.
    ///
    /// - Returns: The violations, oldest first.
    public func finished() -> [String] {
        let state = self.state.value
        return state.violations + (state.isFinished ? [] : ["step \(state.nextStep) or a later one never came"])
    }

    /// Waits until a number of events, steps included, are recorded.
    ///
    /// - Parameter count: The number of events.
    /// - Throws: `CancellationError`, if the calling task is cancelled first.
    public func events(atLeast count: Int) async throws(CancellationError) {
        try await self.state.wait { $0.events.count >= count }
    }
}
