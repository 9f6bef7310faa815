// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import Foundation

extension RunLoop {
    private static let shortestInterval: TimeInterval = 0.0001

    /// The ticks of a timer in this run loop, each with its time.
    ///
    /// A tick that comes while the consumer is busy is skipped: at most one waits.
    ///
    /// ```swift
    /// for try await moment in RunLoop.main.ticks(every: 0.1) { print(moment) }
    /// ```
    ///
    /// ## Cancellation
    /// Ends the loop. The timer is removed at its next tick.
    ///
    /// ## Isolation
    /// The timer is added in this call; the loop must be run.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks, in seconds. Less than 0.0001, or not a number, means 0.0001, which is
    ///     also what Foundation uses for 0.
    ///   - mode: The mode in which the loop runs the timer.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The ticks, which do not end by themselves, for one consumer.
    /// - Complexity: O(1).
    public func ticks(
        every interval: TimeInterval,
        mode: RunLoop.Mode = .common,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CallbackSequence<Date, any Error> {
        let (ticks, sink) = CallbackSequence<Date, any Error>.makeSequence(fileID: fileID, line: line)
        let isOver = OnceFlag()
        sink.onTermination { _ in isOver.set() }
        // Foundation's timer ends the program for an interval that its clock cannot count. The comparison is false for
        // what is not a number.
        let interval = interval > Self.shortestInterval ? interval : Self.shortestInterval
        let timer = Timer(timeInterval: interval, repeats: true) { timer in
            // Here, because a timer is invalidated on its own thread.
            if isOver.isSet { return timer.invalidate() }
            if sink.bufferedCount == 0 { sink.yield(Date()) }
        }
        self.add(timer, forMode: mode)
        return ticks
    }
}
