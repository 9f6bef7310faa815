// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure: Sendable {
    /// Makes a sequence for any number of consumers, each with its own buffer.
    ///
    /// ```swift
    /// let shared = locations.share(buffering: .newest(capacity: 1))
    /// ```
    ///
    /// One task iterates this sequence, from the first consumer on. A consumer gets the elements that arrive after it
    /// has made its iterator; after the end, a new one gets the end.
    ///
    /// ## When all consumers have left
    /// A hot ``CallbackSequence`` stays open until the shared sequence is released: it can be iterated only once, so a
    /// new iteration would get nothing. Elements that arrive meanwhile fill its buffer, under its policy, and the next
    /// consumer gets them first. Every other sequence is stopped, and the next consumer begins a new iteration once the
    /// previous one has ended: a source that ignores its cancellation delays it. `whenUnused` changes this: use
    /// ``UnusedSourcePolicy/keep`` for an `AsyncStream`, or for a hot sequence behind a `map`.
    ///
    /// Elements that have already left the source are released with their consumer: those in its buffer when it leaves,
    /// and one that is about to be delivered. They do not go back to the source's `onUndelivered`.
    ///
    /// ## Back-pressure
    /// Under `.watermark` the slowest consumer slows the source down. Under the other policies each consumer buffers,
    /// drops or fails on its own.
    ///
    /// ## Cancellation
    /// A cancelled consumer leaves; the others continue.
    ///
    /// ## Isolation
    /// The iterating task runs on no actor, with the task-locals and the priority of the first consumer.
    ///
    /// ## Errors
    /// Each consumer gets the source's error, after the elements in its buffer. Dropped elements are reported, once for
    /// all consumers.
    ///
    /// - Parameters:
    ///   - buffering: What happens to elements that arrive faster than a consumer takes them.
    ///   - unused: What happens to this sequence when all consumers have left; `nil` chooses by its kind.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
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

/// What a shared sequence does with its source while it has no consumers.
@nonexhaustive
public enum UnusedSourcePolicy: Sendable {
    /// Stops it; the next consumer begins a new iteration. For a source that can start again.
    case stop

    /// Keeps its iteration, and takes at most one element before the next consumer comes.
    ///
    /// For a source that cannot be iterated twice. It keeps running without consumers: give it a bounded buffer.
    case keep
}

/// A sequence for any number of consumers, each with its own buffer.
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
        self.owner = Owner(storage: SharedSequenceStorage(base: base, buffering: buffering, unused: unused, made: made))
    }

    /// The sequence's reference to its ``SharedSequenceStorage``: when it is released, no more consumers can come.
    private final class Owner: Sendable {
        let storage: SharedSequenceStorage<Base>

        init(storage: SharedSequenceStorage<Base>) { self.storage = storage }

        deinit { self.storage.ownerGone() }
    }

    /// What the coming and leaving of consumers has cost, for the tests: ``SharedConsumers/steps``.
    package var steps: Int { self.owner.storage.steps }

    /// Adds a consumer, which gets all elements from now on.
    ///
    /// - Returns: Its iterator; dropping it removes the consumer.
    /// - Complexity: O(1) amortised, as is leaving. While an element is delivered, the first that comes or leaves costs
    ///   O(*n*) in the number of consumers, as the delivery does.
    public func makeAsyncIterator() -> CallbackSequence<Element, Failure>.AsyncIterator {
        self.owner.storage.subscribe()
    }
}

/// A sequence that may be one that can be iterated only once.
protocol OnceIterable {
    var isIterableOnce: Bool { get }
}

extension CallbackSequence: OnceIterable {}
