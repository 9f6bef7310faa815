// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a sequence does with elements that arrive faster than they are consumed.
///
/// Sizes are numbers of elements. Nothing is dropped silently: each policy that drops elements counts them, hands them
/// to `onUndelivered`, and reports the first one to ``BridgeDiagnostics``.
@nonexhaustive
public enum BufferingPolicy: Sendable, Equatable {
    /// Keeps everything. For sources that are slow, or have few elements.
    case unbounded

    /// Keeps at most this many elements, at least one; the second value says what happens when the buffer is full.
    case bounded(Int, whenFull: Overflow)

    /// Asks the source to pause at the high mark and to resume at the low one.
    ///
    /// `yield` returns ``CallbackSequence/YieldResult/acceptedPleasePause`` for the element that fills the buffer to
    /// the high mark and for each one after it, and the action of `onDemand` runs when the consumer has emptied the
    /// buffer to the low mark. Elements that arrive in between are kept: a source that cannot pause at once loses
    /// nothing.
    ///
    /// The consumer takes a batch of up to a quarter of the high mark at a time. The batch counts as part of the buffer
    /// until the consumer asks for more, so the source may be paused one batch too early, but never too late. `0 <= low
    /// < high`.
    case watermark(low: Int, high: Int)

    /// What a full buffer does with one more element.
    @nonexhaustive
    public enum Overflow: Sendable {
        /// Drops the oldest element of the buffer.
        case dropOldest

        /// Drops the new element.
        case dropNewest

        /// Ends the sequence, after the elements in the buffer, with ``BridgeFault/Code-swift.struct/bufferOverflow``.
        case fail
    }
}

extension BufferingPolicy {
    /// The number of elements from which `send` waits.
    @usableFromInline var high: Int {
        switch self {
        case .unbounded: .max
        case .bounded(let capacity, _): capacity
        case .watermark(_, let high): high
        }
    }

    /// The number of elements at which the buffer counts as full.
    var full: Int {
        switch self {
        case .unbounded: .max
        case .bounded(let capacity, _): capacity
        // The element that reaches the high mark is the last one before the pause.
        case .watermark(_, let high): high - 1
        }
    }

    /// The number of elements at which a paused source is woken.
    @usableFromInline var low: Int {
        switch self {
        case .unbounded: .max
        // Half a buffer at a time: a wake-up for each single element would cost more than the element.
        case .bounded(let capacity, _): capacity / 2
        case .watermark(let low, _): low
        }
    }

    /// The maximum number of elements that the consumer may take along with the requested one.
    var batchSize: Int {
        switch self {
        case .unbounded: 64
        // The element to drop is chosen among all elements not yet taken.
        case .bounded: 0
        // A quarter, so that the source never waits for a consumer that has long gone on; and a batch that begins with
        // a full buffer ends above the low mark.
        case .watermark(let low, let high): min(high / 4, high - low - 1)
        }
    }

    func check(_ made: CallSite) {
        switch self {
        case .unbounded:
            break
        case .bounded(let capacity, _):
            precondition(capacity >= 1, "The buffer of the sequence made at \(made) must hold at least one element")
        case .watermark(let low, let high):
            precondition(
                low >= 0 && low < high,
                "The marks of the sequence made at \(made) must be 0 <= low < high, not \(low) and \(high)"
            )
        }
    }
}
