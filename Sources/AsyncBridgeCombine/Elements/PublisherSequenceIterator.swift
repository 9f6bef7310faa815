// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge

/// The iteration of a publisher's elements.
///
/// ``PublisherSequence`` and ``HotPublisherSequence`` make it.
public struct PublisherSequenceIterator<Element: Sendable, Failure: Error>: AsyncIteratorProtocol {
    /// A subscription that is being consumed.
    @usableFromInline
    struct Iteration {
        @usableFromInline var base: CallbackSequence<Element, Failure>.AsyncIterator
        @usableFromInline let window: DemandWindow

        @inlinable
        init(base: CallbackSequence<Element, Failure>.AsyncIterator, window: DemandWindow) {
            self.base = base
            self.window = window
        }

        /// An iteration of a hot sequence.
        ///
        /// A consumer that is refused must not ask the publisher for anything.
        @usableFromInline
        init(of sequence: CallbackSequence<Element, Failure>, _ window: DemandWindow) {
            self.base = sequence.makeAsyncIterator()
            self.window = self.base.isOver ? DemandWindow(window.buffering) : window
        }
    }

    // One of them: what subscribes, until the first element is asked for, and then the subscription.
    // Why not a closure that returns the iteration: with it in an optional tuple, Swift 6.2.3 fails an assertion.
    @usableFromInline var start: (buffering: BufferingPolicy, call: (DemandWindow, inout Iteration?) -> Void)?
    @usableFromInline var iteration: Iteration?

    @inlinable
    init(_ buffering: BufferingPolicy, _ start: @escaping (DemandWindow, inout Iteration?) -> Void) {
        self.start = (buffering, start)
    }

    @inlinable
    init(_ iteration: Iteration) { self.iteration = iteration }

    /// The next element, waiting for it if necessary.
    ///
    /// ## Cancellation
    /// Cancels the subscription and throws `CancellationError`, or returns `nil` if `Failure` cannot express it. If the
    /// publisher had already completed, and everything was delivered, its completion comes instead.
    ///
    /// - Returns: The element, or `nil` at the end.
    /// - Throws: The publisher's failure, once; then `nil` follows. The end is not an error.
    /// - Complexity: O(1) amortised, plus the publisher's work for a request.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws(Failure) -> Element? {
        if self.iteration == nil, let (buffering, start) = self.start.take() {
            let window = DemandWindow(buffering)
            var iteration: Iteration?
            window.subscribing { start(window, &iteration) }
            self.iteration = iteration
        }
        self.iteration?.window.refill()
        return try await self.iteration?.base.next()
    }

    /// The next element, waiting for it if necessary, on a given actor.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: The element, or `nil` at the end.
    /// - Throws: The publisher's failure, once; then `nil` follows. The end is not an error.
    /// - Complexity: O(1) amortised, plus the publisher's work for a request.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
        try await self.next()
    }

    /// How many elements the publisher has sent beyond the requested ones.
    ///
    /// - Complexity: O(1).
    public var unrequestedCount: Int { self.iteration?.window.unrequestedCount ?? 0 }
}

extension PublisherSequenceIterator: UndeliveredElements {
    package func takeBack<Value>(_ element: Disconnected<Value>) -> Bool {
        self.iteration?.base.takeBack(element) ?? false
    }
}

@available(*, unavailable)
extension PublisherSequenceIterator: Sendable {}
#endif
