// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a sequence bridge promises: which scenarios it must pass, and with which result.
///
/// The default is everything that the laws demand.
public struct SequencePromises: Sendable {
    /// What happens to elements that come faster than they are consumed.
    @nonexhaustive
    public enum Overflow: Sendable {
        /// All are kept.
        case keeps

        /// Some are dropped, and ``SequenceSource/noteDropped(_:)`` gets their number.
        ///
        /// All may be for which nobody waits: the buffer may have no room. Elements that come after the end, or when
        /// the consumer has left, may be counted or not.
        case countsDrops

        /// Like `countsDrops`; the newest elements are kept, at least one.
        case dropsOldest

        /// Like `countsDrops`; the oldest elements are kept, at least one.
        case dropsNewest

        /// All are kept, and the source is asked to pause by ``SequenceSource/pause()`` before there are a thousand.
        case pauses

        /// The sequence ends with an error after the elements in its buffer.
        case fails
    }

    /// What happens to elements that come faster than they are consumed.
    public var overflow = Overflow.keeps

    /// Whether a source that has ended by itself is stopped too, once.
    ///
    /// `false` leaves that to the bridge.
    public var stopsEndedSource = false

    /// Whether the sequence passes errors on.
    public var passesErrors = true

    /// Whether the sequence ends when the source forgets its closures: with an error, if it can throw any.
    public var detectsDrops = true

    /// Whether a sequence that can throw any error throws `CancellationError` when its task is cancelled.
    ///
    /// `false` lets it end like a finished source, so that truncated data looks complete. Has no effect if the
    /// sequence's `Failure` is not `any Error`.
    public var throwsWhenCancelled = true

    /// Whether a second iterator may be made, and may wait at the same time as the first.
    ///
    /// It may share the elements, get its own, be refused with an error or end at once. `false` for a sequence that
    /// traps instead, as `AsyncStream` does when two wait; the suite reports an `AsyncStream` without trying it. Then
    /// no sequence gets a second iterator, not even when the first has been left.
    public var takesSecondIterator = true

    /// Whether the source is stopped when the iterator that has begun is released, although the sequence is not.
    ///
    /// `false` for a sequence over which another loop may go on, such as a channel. A stream of the standard library is
    /// one, too; the suite knows that.
    public var stopsWhenLeft = true

    /// Whether each element that is not consumed is given to ``SequenceSource/takeBack(_:)``.
    public var handsBackElements = false

    /// Whether the source is started in the consumer's task, with its task-local values.
    public var startsInConsumer = true

    /// How long a bridge may seem to hang before that is reported.
    ///
    /// A correct bridge never makes the suite wait that long.
    public var patience = Duration.seconds(2)

    /// Makes the promises of ``standard``.
    public init() {}

    /// Makes a modified copy.
    ///
    /// ```swift
    /// .standard.with { $0.overflow = .countsDrops }
    /// ```
    ///
    /// - Parameter change: Changes the copy.
    /// - Returns: The copy.
    public func with(_ change: (inout SequencePromises) -> Void) -> SequencePromises {
        var copy = self
        change(&copy)
        return copy
    }

    /// The promises that are tested by default: what the laws demand of each sequence, which keeps all elements.
    ///
    /// Not among them are ``stopsEndedSource`` and ``handsBackElements``, which no law demands: a bridge that promises
    /// them adds them.
    public static var standard: SequencePromises { SequencePromises() }
}

extension SequencePromises {
    /// Whether the source can pause.
    var pauses: Bool { if case .pauses = self.overflow { true } else { false } }

    /// What ``standard`` promises and these do not, for reports.
    var notMade: [String] {
        let all: [(String, Bool)] = [
            ("overflow = .keeps", !self.mayDrop && self.overflow != .fails), ("passesErrors", self.passesErrors),
            ("detectsDrops", self.detectsDrops), ("throwsWhenCancelled", self.throwsWhenCancelled),
            ("takesSecondIterator", self.takesSecondIterator), ("stopsWhenLeft", self.stopsWhenLeft),
            ("startsInConsumer", self.startsInConsumer),
        ]
        return all.filter { !$0.1 }.map(\.0)
    }

    /// Whether some elements may be dropped, and are counted.
    var mayDrop: Bool {
        switch self.overflow {
        case .countsDrops, .dropsOldest, .dropsNewest: true
        case .keeps, .pauses, .fails: false
        }
    }
}
