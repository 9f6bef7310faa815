// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a sequence or a channel does with elements that arrive faster than they are consumed.
///
/// Sizes are numbers of elements. Nothing is dropped silently: each policy that drops elements hands them to
/// `onUndelivered`; a sequence counts them, too, and reports the first one to ``BridgeDiagnostics``.
///
/// | Policy | A full buffer | A `send` that can wait | A source that cannot wait |
/// |---|---|---|---|
/// | ``unbounded`` | is never full | never waits | |
/// | ``bounded(capacity:)`` | makes senders wait | waits for room | is asked to pause; what it still sends is kept |
/// | ``watermark(low:high:)`` | the same, at the high mark | waits for room | is resumed at the low mark |
/// | ``newest(capacity:)`` | drops its oldest element | waits, in a sequence | |
/// | ``oldest(capacity:)`` | drops the new element | waits, in a sequence | |
/// | ``failing(capacity:)`` | ends the sequence or channel | waits, in a sequence | |
@nonexhaustive
public enum BufferingPolicy: Sendable, Hashable {
    /// Keeps everything. For sources that are slow, or have few elements.
    case unbounded

    /// Keeps this many elements; senders wait while the buffer is full, and a source that cannot wait is asked to
    /// pause.
    ///
    /// In a sequence this is ``watermark(low:high:)`` with half the capacity as the low mark, and a capacity of 0
    /// counts as 1. In a channel 0 is a rendezvous: a sender waits until its element is received.
    case bounded(capacity: Int)

    /// Asks the source to pause at the high mark and to resume at the low one; senders wait at the high mark.
    ///
    /// `yield` returns ``CallbackSequence/YieldResult/acceptedPleasePause`` for the element that fills the buffer to
    /// the high mark and for each one after it, and the source is resumed when the consumer has emptied the buffer to
    /// the low mark. Elements that arrive in between are kept: a source that cannot pause at once loses nothing.
    ///
    /// The consumer takes a batch of up to a quarter of the high mark at a time. The batch counts as part of the buffer
    /// until the consumer asks for more, so the source may be paused one batch too early, but never too late. `0 <= low
    /// < high`.
    case watermark(low: Int, high: Int)

    /// Keeps at most this many elements, at least one: a new one replaces the oldest. With 1, only the latest.
    case newest(capacity: Int)

    /// Keeps at most this many elements, at least one: while the buffer is full, new ones are dropped.
    case oldest(capacity: Int)

    /// Keeps at most this many elements, at least one: one more ends the sequence, after those in the buffer, with
    /// ``BridgeFault/Code-swift.struct/bufferOverflow``.
    case failing(capacity: Int)
}

extension BufferingPolicy {
    /// For a channel without a buffer: a sender waits until its element is received.
    public static var rendezvous: BufferingPolicy { .bounded(capacity: 0) }
}

extension BufferingPolicy {
    /// What a full buffer does with one more element.
    @usableFromInline
    package enum Overflow: Sendable {
        case keep
        case dropOldest
        case dropNewest
        case fail
    }

    @usableFromInline package var overflow: Overflow {
        switch self {
        case .unbounded, .bounded, .watermark: .keep
        case .newest: .dropOldest
        case .oldest: .dropNewest
        case .failing: .fail
        }
    }

    /// The number of elements from which `send` waits.
    @usableFromInline package var high: Int {
        switch self {
        case .unbounded: .max
        case .bounded(let capacity): max(capacity, 1)
        case .newest(let capacity), .oldest(let capacity), .failing(let capacity): capacity
        case .watermark(_, let high): high
        }
    }

    /// The number of elements at which the buffer counts as full.
    var full: Int {
        switch self {
        case .unbounded: .max
        case .newest(let capacity), .oldest(let capacity), .failing(let capacity): capacity
        // The element that reaches the high mark is the last one before the pause.
        case .bounded, .watermark: self.high - 1
        }
    }

    /// The number of elements at which a paused source is woken.
    @usableFromInline package var low: Int {
        switch self {
        case .unbounded: .max
        // Half a buffer at a time: a wake-up for each single element would cost more than the element.
        case .bounded, .newest, .oldest, .failing: self.high / 2
        case .watermark(let low, _): low
        }
    }

    /// The maximum number of elements that the consumer may take along with the requested one.
    var batchSize: Int {
        switch self {
        case .unbounded: 64
        // The element to drop is chosen among all elements not yet taken.
        case .newest, .oldest, .failing: 0
        // A quarter, so that the source never waits for a consumer that has long gone on; and a batch that begins with
        // a full buffer ends above the low mark.
        case .bounded, .watermark: min(self.high / 4, self.high - self.low - 1)
        }
    }

    /// Ends the process if the sizes make no sense.
    ///
    /// - Parameters:
    ///   - made: Where the sequence or channel was made.
    ///   - owner: What it is.
    @usableFromInline
    package func check(_ made: CallSite, _ owner: StaticString = "sequence") {
        switch self {
        case .unbounded:
            break
        case .bounded(let capacity):
            precondition(capacity >= 0, "The capacity of the \(owner) made at \(made) must not be negative")
        case .newest(let capacity), .oldest(let capacity), .failing(let capacity):
            precondition(capacity >= 1, "The buffer of the \(owner) made at \(made) must hold at least one element")
        case .watermark(let low, let high):
            precondition(
                low >= 0 && low < high,
                "The marks of the \(owner) made at \(made) must be 0 <= low < high, not \(low) and \(high)"
            )
        }
    }
}
