// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure: Sendable {
    /// Makes a sequence for any number of consumers, each with a buffer of its own.
    ///
    /// ```swift
    /// let shared = locations.share(buffering: .bounded(1, whenFull: .dropOldest))
    /// ```
    ///
    /// One task iterates this sequence, from the first consumer on. A consumer gets the elements that come after it has
    /// made its iterator; after the end, a new one gets the end.
    ///
    /// ## When all consumers have left
    /// A hot ``CallbackSequence`` stays open until the shared sequence goes away: it can be iterated only once, so a
    /// new iteration would get nothing. What comes meanwhile fills its buffer, under its policy, and the next consumer
    /// gets that first. Every other sequence is stopped, and the next consumer begins a new iteration, when the one
    /// before has come to its end: a source that does not notice its cancellation holds it up. `whenUnused` says
    /// otherwise: ``UnusedSourcePolicy/keep`` for an `AsyncStream`, say, or for a hot sequence behind a `map`.
    ///
    /// What has left the source already goes with those it was for: what is in a consumer's buffer when that leaves,
    /// and one element that is about to be delivered. It does not come back to the source's `onUndelivered`.
    ///
    /// ## Back-pressure
    /// Under `.watermark` the slowest consumer slows the source down. Under the other policies each consumer buffers,
    /// drops or fails on its own.
    ///
    /// ## Cancellation
    /// A cancelled consumer leaves; the others go on.
    ///
    /// ## Isolation
    /// The task that iterates runs on no actor, with the task-locals and the priority of the consumer that came first.
    ///
    /// ## Errors
    /// Each consumer gets the source's error, after the elements in its buffer. What a policy drops is reported, once
    /// for all consumers.
    ///
    /// - Parameters:
    ///   - buffering: What becomes of elements that come faster than one consumer takes them.
    ///   - unused: What becomes of this sequence when all consumers have left; `nil` chooses by its kind.
    ///   - fileID: The caller's file, for errors and reports.
    ///   - line: The caller's line, for errors and reports.
    /// - Returns: The shared sequence.
    /// - Complexity: O(*n*) for each element, in the number of consumers.
    public func share(
        buffering: BufferingPolicy = .unbounded,
        whenUnused unused: UnusedSourcePolicy? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SharedSequence<Self> {
        SharedSequence(base: self, buffering: buffering, unused: unused, made: CallSite(fileID: fileID, line: line))
    }
}

/// What a shared sequence does with its source while nobody consumes it.
@nonexhaustive
public enum UnusedSourcePolicy: Sendable {
    /// Stops it; the next consumer begins a new iteration. For a source that can start again.
    case stop

    /// Keeps the iteration that it has, and takes one element at most before the next consumer comes.
    ///
    /// For a source that cannot be iterated twice. It runs on for nobody: give it a buffer that does not grow.
    case keep
}

/// A sequence for any number of consumers, each with a buffer of its own.
///
/// Made by `share(buffering:)` of an async sequence.
public struct SharedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable {
    /// The elements of the source.
    public typealias Element = Base.Element

    /// The errors of the source.
    public typealias Failure = Base.Failure

    private let owner: Owner

    init(base: Base, buffering: BufferingPolicy, unused: UnusedSourcePolicy?, made: CallSite) {
        buffering.check(made)
        let unused = unused ?? ((base as? any OnceIterable)?.isIterableOnce == true ? .keep : .stop)
        self.owner = Owner(hub: SharedSequenceHub(base: base, buffering: buffering, unused: unused, made: made))
    }

    /// The sequence's reference to its hub: its end is that of the sequence, after which no consumer comes.
    private final class Owner: Sendable {
        let hub: SharedSequenceHub<Base>

        init(hub: SharedSequenceHub<Base>) { self.hub = hub }

        deinit { self.hub.ownerGone() }
    }

    /// Adds a consumer, which gets all elements that come from now on.
    ///
    /// - Returns: Its iterator; dropping it removes the consumer.
    /// - Complexity: O(*n*) in the number of consumers, as is leaving.
    public func makeAsyncIterator() -> CallbackSequence<Element, Failure>.AsyncIterator { self.owner.hub.subscribe() }
}

/// A sequence that may be one that can be iterated only once.
protocol OnceIterable {
    var isIterableOnce: Bool { get }
}

extension CallbackSequence: OnceIterable {}
