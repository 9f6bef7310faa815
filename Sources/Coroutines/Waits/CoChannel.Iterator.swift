// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension CoChannel {
    /// The elements still to come, for a plain `for` loop in a coroutine; outside a coroutine, only those available
    /// now.
    ///
    /// A plain `for` cannot throw: it ends with the channel, whether that was closed or has failed. So prefer
    /// ``awaitNext()``; otherwise read ``error`` after the loop. An error of ``close(throwing:)`` that nothing has read
    /// goes to `BridgeDiagnostics.uncaughtErrorHandler`.
    ///
    /// It counts as a receiver: as long as it lives, senders do not get the error that all receivers were released.
    ///
    /// Isolation: may be used by one coroutine or thread at a time; several iterators share the elements between them.
    public struct Iterator: IteratorProtocol, Sequence {
        @usableFromInline let receiver: Receiver
        @usableFromInline let end: IterationEnd

        @usableFromInline
        init(_ receiver: Receiver) {
            self.receiver = receiver
            self.end = IterationEnd(made: receiver.made)
        }

        /// Receives the next element, in a coroutine, which is suspended while there is none.
        ///
        /// - Returns: The element; `nil` if the channel has ended, if the coroutine was cancelled, or if a wait would
        ///   have to begin outside a coroutine. Then ``error`` says which.
        /// - Complexity: O(1) amortised.
        @inlinable
        public func next() -> Element? {
            do { return try self.receiver.awaitNext(ChannelSuspension(suspendForIteration)) } catch {
                self.end.note(error)
                return nil
            }
        }

        /// The error with which the iteration ended; `nil` if it goes on, or the channel was closed without one.
        ///
        /// Copies of an iterator share it, so it can be read after a `for` loop over the iterator.
        ///
        /// - Complexity: O(1).
        public var error: (any Error)? { self.end.read() }
    }
}

/// How an iteration ended; its copies share it.
///
/// | State    | Meaning                                              | Next                              |
/// |----------|------------------------------------------------------|-----------------------------------|
/// | `open`   | it goes on, or the channel was closed                | `failed`                          |
/// | `failed` | it ended with an error that nothing has read         | `failed`; `read`; reported at last |
/// | `read`   | it ended with an error that was read                 | `failed`                          |
@usableFromInline
final class IterationEnd {
    private enum State {
        case open
        case failed(any Error)
        case read(any Error)
    }

    private var state = State.open
    private let made: CallSite

    @usableFromInline
    init(made: CallSite) { self.made = made }

    deinit {
        switch self.state {
        case .open, .read: break
        case .failed(let error):
            if Self.isOfTheSender(error) { UncaughtErrors.report(error, loopOverChannel: self.made) }
        }
    }

    // The other ends are the loop's own, or were the ends of loops before channels could fail.
    private static func isOfTheSender(_ error: any Error) -> Bool {
        !(error is CancellationError || error is CoChannelError || error is CoroutineError)
    }

    @usableFromInline
    func note(_ error: any Error) { self.state = .failed(error) }

    func read() -> (any Error)? {
        switch self.state {
        case .open: return nil
        case .failed(let error), .read(let error):
            self.state = .read(error)
            return error
        }
    }
}
