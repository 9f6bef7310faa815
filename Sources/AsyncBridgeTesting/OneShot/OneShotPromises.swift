// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a one-shot bridge promises: which scenarios it must pass, and with which result.
///
/// The default is everything that the laws demand of a bridge whose source can be cancelled.
public struct OneShotPromises: Sendable {
    /// What cancelling the caller's task does.
    @nonexhaustive
    public enum Cancellation: Sendable {
        /// `CancellationError` at once, whatever the source does.
        case prompt

        /// The bridge cancels the source, waits for its callback, and passes on the callback's result.
        case cooperative

        /// Nothing: the bridge waits for the callback and does not touch the source.
        case ignored
    }

    /// What cancelling the caller's task does.
    public var cancellation = Cancellation.prompt

    /// Whether cancelling the caller's task calls ``SourceHandle/cancel()``.
    ///
    /// `false` for a bridge that abandons the work. Has no effect if cancellation is ignored.
    public var cancelsSource = true

    /// Whether the work is started, and stopped at once, in a task already cancelled.
    public var startsWhenCancelled = false

    /// Whether a completion handler that is dropped without an answer ends the call with an error.
    public var detectsDrops = true

    /// Whether values that come too late are given to ``OneShotSource/takeBack(_:)``.
    public var handsBackLateValues = false

    /// Whether several calls may wait at the same time.
    public var takesOverlappingCalls = true

    /// Whether the work starts on the caller's actor, in its task and before the first suspension.
    public var startsOnCaller = true

    /// After how much time of ``OneShotSource/clock`` a call gives up; `nil`, the default, if it never does.
    ///
    /// Then it ends at once with an error of the bridge, whatever ``cancellation`` says, and stops the source if
    /// ``cancelsSource`` is set. The time may begin when the source has been started. Without a call, no timer is left.
    public var timeout: Duration?

    /// How long a bridge may seem to hang before that is reported.
    ///
    /// A correct bridge never makes the suite wait that long.
    public var patience = Duration.seconds(2)

    /// Makes the promises of ``standard``.
    public init() {}

    /// Makes a modified copy.
    ///
    /// ```swift
    /// .standard.with { $0.cancellation = .cooperative }
    /// ```
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The copy.
    public func with(_ change: (inout OneShotPromises) -> Void) -> OneShotPromises {
        var copy = self
        change(&copy)
        return copy
    }

    /// The promises that are tested by default: what the laws demand of each bridge, and a prompt end on cancellation.
    ///
    /// Not among them is ``handsBackLateValues``, which no law demands: a bridge that promises it adds it.
    public static var standard: OneShotPromises { OneShotPromises() }

    /// The promises of a bridge that waits for the callback after it has stopped the source.
    public static var cooperative: OneShotPromises { Self.standard.with { $0.cancellation = .cooperative } }

    /// The promises of a bridge that cannot be cancelled.
    public static var notCancellable: OneShotPromises { Self.standard.with { $0.cancellation = .ignored } }
}

extension OneShotPromises {
    /// Whether the source is told to stop when the task is cancelled during the wait.
    var stops: Bool { self.cancellation != .ignored && self.cancelsSource }

    /// What ``standard`` promises and these do not, for reports.
    var notMade: [String] {
        let all: [(String, Bool)] = [
            ("cancellation = .prompt", self.cancellation == .prompt), ("cancelsSource", self.cancelsSource),
            ("detectsDrops", self.detectsDrops), ("takesOverlappingCalls", self.takesOverlappingCalls),
            ("startsOnCaller", self.startsOnCaller),
        ]
        return all.filter { !$0.1 }.map(\.0)
    }
}
