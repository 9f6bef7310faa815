// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import Dispatch
import Foundation

extension DispatchSource {
    /// The ticks of a timer, each with the number of intervals since the one before.
    ///
    /// While the consumer has no time, ticks are counted, not kept: at most one element waits.
    ///
    /// ```swift
    /// for try await count in DispatchSource.ticks(every: .milliseconds(100)) { print(count) }
    /// ```
    ///
    /// ## Cancellation
    /// Ends the loop and the timer.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks.
    ///   - leeway: How much later than due a tick may come.
    ///   - fileID: The caller's file, for errors and lists.
    ///   - line: The caller's line, for errors and lists.
    /// - Returns: The ticks, which do not end by themselves. Each iteration has a timer of its own, from its beginning.
    /// - Complexity: O(1).
    public static func ticks(
        every interval: DispatchTimeInterval,
        leeway: DispatchTimeInterval = .nanoseconds(0),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CallbackSequence<Int, any Error> {
        Self.counts(fileID, line) { queue in
            let source = DispatchSource.makeTimerSource(queue: queue)
            source.schedule(deadline: .now() + interval, repeating: interval, leeway: leeway)
            return (source, { Int(source.data) })
        }
    }

    /// The arrivals of a signal, each with the number of times that it came since the one before.
    ///
    /// The signal's default action is switched off, for good: else it would end the program all the same. Dispatch
    /// begins to watch a moment after the iteration has begun.
    ///
    /// ```swift
    /// for try await _ in DispatchSource.signals(SIGHUP) { reload() }
    /// ```
    ///
    /// ## Cancellation
    /// Ends the loop and the source.
    ///
    /// - Parameters:
    ///   - number: The signal.
    ///   - fileID: The caller's file, for errors and lists.
    ///   - line: The caller's line, for errors and lists.
    /// - Returns: The arrivals, which do not end by themselves. Each iteration has a source of its own.
    /// - Complexity: O(1).
    public static func signals(
        _ number: Int32,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CallbackSequence<Int, any Error> {
        Self.counts(fileID, line) { queue in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            return (source, { Int(source.data) })
        }
    }

    /// The moments at which a descriptor may be read without waiting, each with a guess of how many bytes there are.
    ///
    /// The source stands still while an element waits. An element may be out of date, if what it told of has been read
    /// meanwhile: let the descriptor be non-blocking. At the end of the file, or of the connection, it can be read all
    /// the time, with 0 bytes; leave the loop then.
    ///
    /// ## Cancellation
    /// Ends the loop and the source. The descriptor may be closed at any time: the source has a duplicate of its own.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which stays the caller's. One that is none fails the sequence with `POSIXError`.
    ///   - fileID: The caller's file, for errors and lists.
    ///   - line: The caller's line, for errors and lists.
    /// - Returns: The moments. Each iteration has a source of its own, from its beginning.
    /// - Complexity: O(1).
    public static func readable(
        _ descriptor: Int32,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CallbackSequence<Int, any Error> {
        CallbackSequence(buffering: .watermark(low: 0, high: 1), fileID: fileID, line: line) { sink in
            // One of our own, closed when Dispatch has dropped it: the caller cannot know when that is.
            let own = Descriptors.duplicate(descriptor)
            guard own >= 0 else {
                sink.fail(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EBADF))
                return {}
            }
            let queue = DispatchQueue(label: "AsyncBridgeFoundation.readable")
            let source = DispatchSource.makeReadSource(fileDescriptor: own, queue: queue)
            source.setCancelHandler { close(own) }
            source.setEventHandler { sink.yield(Int(source.data)) }
            let pausable = PausableSource(source)
            sink.onBackPressure(pause: { pausable.suspend() }, resume: { pausable.resume() })
            pausable.activate()
            return { pausable.cancel() }
        }
    }

    /// A sequence of what a source counts, added up while nobody takes it.
    private static func counts(
        _ fileID: StaticString,
        _ line: UInt,
        _ make: @escaping @Sendable (DispatchQueue) -> (any DispatchSourceProtocol, () -> Int)
    ) -> CallbackSequence<Int, any Error> {
        CallbackSequence(buffering: .watermark(low: 0, high: 1), fileID: fileID, line: line) { sink in
            let (source, count) = make(DispatchQueue(label: "AsyncBridgeFoundation.counts"))
            source.setEventHandler { sink.yield(count()) }
            // Suspended, a source adds up by itself.
            let pausable = PausableSource(source)
            sink.onBackPressure(pause: { pausable.suspend() }, resume: { pausable.resume() })
            pausable.activate()
            return { pausable.cancel() }
        }
    }
}
