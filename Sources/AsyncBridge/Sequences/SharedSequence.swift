// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure: Sendable {
    /// Makes a sequence for any number of consumers, each with a buffer of its own.
    ///
    /// ```swift
    /// let shared = locations.share(buffering: .bounded(1, whenFull: .dropOldest))
    /// ```
    ///
    /// One task iterates this sequence: from the first consumer on until the last one has left. A consumer gets the
    /// elements that come after it has made its iterator. When all have left and a new one comes, the iteration begins
    /// anew; after the end, a new one gets the end.
    ///
    /// ## Back-pressure
    /// Under `.watermark` the slowest consumer slows the source down. Under the other policies each consumer buffers, drops
    /// or fails on its own.
    ///
    /// ## Cancellation
    /// A cancelled consumer leaves; the others go on.
    ///
    /// ## Isolation
    /// The task that iterates runs on no actor, with the task-locals and the priority of the consumer that came first.
    ///
    /// ## Errors
    /// Each consumer gets the source's error, after the elements in its buffer. What a policy drops is reported, once for
    /// all consumers.
    ///
    /// - Parameters:
    ///   - buffering: What becomes of elements that come faster than one consumer takes them.
    ///   - fileID: The caller's file, for errors and reports.
    ///   - line: The caller's line, for errors and reports.
    /// - Returns: The shared sequence.
    /// - Complexity: O(*n*) for each element, in the number of consumers.
    public func share(
        buffering: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SharedSequence<Self> {
        SharedSequence(base: self, buffering: buffering, made: CallSite(fileID: fileID, line: line))
    }
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

    private let hub: SharedSequenceHub<Base>

    init(base: Base, buffering: BufferingPolicy, made: CallSite) {
        buffering.check(made)
        self.hub = SharedSequenceHub(base: base, buffering: buffering, made: made)
    }

    /// Adds a consumer, which gets all elements that come from now on.
    ///
    /// - Returns: Its iterator; letting go of it removes the consumer.
    /// - Complexity: O(*n*) in the number of consumers, as is leaving.
    public func makeAsyncIterator() -> CallbackSequence<Element, Failure>.AsyncIterator { self.hub.subscribe() }
}
