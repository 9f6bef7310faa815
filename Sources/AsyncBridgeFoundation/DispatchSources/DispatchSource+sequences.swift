// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CProcesses
public import Dispatch
import Foundation

extension DispatchSource {
    /// The queue of all sources.
    ///
    /// With a queue for each, hundreds that are cancelled at once take a thread each, and Dispatch keeps these threads
    /// for seconds. What runs here hands an element to a sequence.
    private static let events = DispatchQueue(label: "AsyncBridgeFoundation.DispatchSource")

    /// The ticks of a timer, each with the number of intervals since the previous one.
    ///
    /// While the consumer is busy, ticks are counted, not kept: at most one element waits.
    ///
    /// ```swift
    /// for try await count in DispatchSource.ticks(every: .milliseconds(100)) { print(count) }
    /// ```
    ///
    /// ## Cancellation
    /// Ends the loop and the timer.
    ///
    /// ## Isolation
    /// All sources share one queue. A coroutine that goes on where its wait ended, on `ImmediateScheduler`, runs on it,
    /// and must not hold it up.
    ///
    /// - Parameters:
    ///   - interval: The time between two ticks. 0 or less means a nanosecond.
    ///   - leeway: How much later than due a tick may come. Less than 0 means 0.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The ticks, which do not end by themselves. Each iteration has its own timer, from its beginning.
    /// - Complexity: O(1).
    public static func ticks(
        every interval: DispatchTimeInterval,
        leeway: DispatchTimeInterval = .nanoseconds(0),
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CallbackSequence<Int, any Error> {
        Self.counts(fileID, line) {
            let source = DispatchSource.makeTimerSource(queue: Self.events)
            // Dispatch ends the program for less than nothing.
            let interval = interval.atLeast(.nanoseconds(1))
            source.schedule(deadline: .now() + interval, repeating: interval, leeway: leeway.atLeast(.nanoseconds(0)))
            return source
        }
    }

    /// The arrivals of a signal, each with the number of times that it came since the previous one.
    ///
    /// The signal's default action is switched off permanently: otherwise it would still end the program. Only that of
    /// `SIGCHLD` stays, which does nothing. Dispatch starts watching a moment after the iteration has begun. Any number
    /// of loops, and of Dispatch's sources, may watch one signal, one after the other or at once; each is told of it.
    ///
    /// ```swift
    /// for try await _ in DispatchSource.signals(SIGHUP) { reload() }
    /// ```
    ///
    /// ## Handlers
    /// On Linux, a process's first source of a signal installs Dispatch's handler, which replaces the program's own and
    /// stays. A signal that comes when nothing watches it any more is kept for the next loop or source, as one arrival.
    /// Dispatch never installs its handler again: code that calls `signal` or `sigaction` for this signal later, also
    /// with `SIG_IGN`, takes it from all loops and sources for good. The threads of Dispatch, and with them those of
    /// Swift's pool, block signals: nobody learns of one that is sent to such a thread alone, as by `raise`. Send it to
    /// the process, with `kill`.
    ///
    /// On Apple's systems, the program's handler stays, and runs as well.
    ///
    /// ## Cancellation
    /// Ends the loop and the source.
    ///
    /// ## Isolation
    /// All sources share one queue. A coroutine that goes on where its wait ended, on `ImmediateScheduler`, runs on it,
    /// and must not hold it up.
    ///
    /// - Parameters:
    ///   - number: The signal. One that does not exist, or cannot be ignored, such as `SIGKILL`, fails the sequence
    ///     with `POSIXError` (`EINVAL`). On Linux so do those that Dispatch cannot watch: `SIGPIPE`, `SIGPROF`, and
    ///     those of faults of the program, such as `SIGSEGV`. Instead of watching `SIGPIPE`, ignore it: then `write`
    ///     fails with `EPIPE`.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The arrivals, which do not end by themselves. Each iteration has its own source.
    /// - Complexity: O(1).
    public static func signals(
        _ number: Int32,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> CallbackSequence<Int, any Error> {
        Self.counts(fileID, line) { () throws(POSIXError) in
            try Self.ignore(number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: Self.events)
            return source
        }
    }

    /// The moments at which a descriptor may be read without waiting, each with a guess of how many bytes there are.
    ///
    /// The source pauses while an element waits. An element may be out of date, if its bytes have been read in the
    /// meantime: make the descriptor non-blocking. After the writer has closed, the descriptor is always readable:
    /// first the rest, then 0 bytes. Leave the loop when `read` returns 0, not when an element is 0. A folder, or a
    /// device such as `/dev/null`, is always readable, too. With Swift 6.3.1 on Linux Foundation's own way,
    /// `FileHandle.readabilityHandler`, is not told of an end that comes together with the last bytes.
    ///
    /// ## Cancellation
    /// Ends the loop and the source. The descriptor may be closed at any time: the source has its own duplicate.
    ///
    /// ## Isolation
    /// All sources share one queue. A coroutine that goes on where its wait ended, on `ImmediateScheduler`, runs on it,
    /// and must not hold it up.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which the caller still owns. An invalid one fails the sequence with
    ///     `POSIXError`.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The moments. Each iteration has its own source, from its beginning.
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
            let source: any DispatchSourceRead
            do throws(POSIXError) { source = try Self.readSource(of: own) { sink.yield($0) } } catch {
                close(own)
                sink.fail(error)
                return {}
            }
            let pausable = PausableSource(source)
            sink.onBackPressure(pause: { pausable.suspend() }, resume: { pausable.resume() })
            pausable.activate()
            return { pausable.cancel() }
        }
    }

    /// Makes a source that tells how many bytes a descriptor has to read, and closes it when it has been cancelled.
    private static func readSource(
        of descriptor: Int32,
        _ tell: @escaping @Sendable (Int) -> Void
    ) throws(POSIXError) -> any DispatchSourceRead {
        guard let watch = try Descriptors.watching(descriptor) else {
            let source = Self.makeReadSource(fileDescriptor: descriptor, queue: Self.events)
            source.setCancelHandler { close(descriptor) }
            source.setEventHandler { tell(Int(source.data)) }
            return source
        }
        let source = Self.makeReadSource(fileDescriptor: watch, queue: Self.events)
        source.setCancelHandler {
            close(watch)
            close(descriptor)
        }
        // As Dispatch does, 1 if nobody knows.
        source.setEventHandler { tell(Descriptors.bytesToRead(descriptor) ?? 1) }
        return source
    }

    /// Switches a signal's default action off.
    ///
    /// A handler stays: Dispatch on Linux installs its own with a process's first source of a signal, and never again.
    private static func ignore(_ number: Int32) throws(POSIXError) {
        #if !canImport(Darwin)
        // Dispatch's handler blocks a signal in its thread, and raises it once more. These it never blocks: so the
        // thread would raise the first one without end, and nobody would be told.
        let neverBlocked = [SIGPIPE, SIGPROF, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
        if neverBlocked.contains(number) { throw POSIXError(.EINVAL) }
        #endif
        // Dispatch has no source for such a signal, and gives none.
        guard cprocesses_ignore_by_default(number) == 0 else { throw POSIXError(.EINVAL) }
    }

    /// A sequence of a source's counts, added up until they are taken.
    private static func counts(
        _ fileID: StaticString,
        _ line: UInt,
        _ make: @escaping @Sendable () throws(POSIXError) -> any DispatchSourceProtocol
    ) -> CallbackSequence<Int, any Error> {
        CallbackSequence(buffering: .watermark(low: 0, high: 1), fileID: fileID, line: line) { sink in
            let source: any DispatchSourceProtocol
            do throws(POSIXError) { source = try make() } catch {
                sink.fail(error)
                return {}
            }
            let pausable = PausableSource(source)
            source.setEventHandler { sink.yield(pausable.count) }
            // Suspended, a source adds up by itself.
            sink.onBackPressure(pause: { pausable.suspend() }, resume: { pausable.resume() })
            pausable.activate()
            return { pausable.cancel() }
        }
    }
}

extension DispatchTimeInterval {
    /// The interval, or another one if this is 0 or less.
    fileprivate func atLeast(_ smallest: Self) -> Self {
        switch self {
        case .seconds(let count), .milliseconds(let count), .microseconds(let count), .nanoseconds(let count):
            count > 0 ? self : smallest
        case .never: self
        @unknown default: self
        }
    }
}
