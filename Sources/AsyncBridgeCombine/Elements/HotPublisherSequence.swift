// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge
public import OpenCombineShim

/// Asks for a sequence of a publisher's elements that has subscribed when it is made.
public struct ImmediateSubscription: Sendable {
    /// At once, so that nothing is missed before the loop begins: one subscription, for one consumer.
    public static var immediately: Self { Self() }
}

extension Publisher where Output: Sendable {
    /// Subscribes at once, and gives the publisher's elements as a sequence that can be sent to a task.
    ///
    /// ```swift
    /// let pressed = presses.elements(buffering: .unbounded, subscribing: .immediately)
    /// let task = Task {
    ///     for await button in pressed { print(button) }
    /// }
    /// ```
    ///
    /// The sequence does not hold the publisher, so it is `Sendable`: for tasks, `share` and `forEach`. It is hot, as a
    /// `CallbackSequence` is: a second consumer gets `BridgeFault` with `secondConsumer`, or `consumerLeft` after the
    /// first has left. Demand and the end are those of ``PublisherSequence``.
    ///
    /// ## Cancellation
    /// `next()` cancels the subscription and throws `CancellationError`, or returns `nil` if `Failure` cannot express
    /// it. Dropping the sequence before its first loop, or the iterator, cancels the subscription too.
    ///
    /// ## Isolation
    /// This call subscribes. Requesting happens on the consumer's actor. The publisher may send on any thread.
    ///
    /// - Parameters:
    ///   - buffering: How many elements to request in advance, or what happens to those that come unasked.
    ///   - time: At once.
    ///   - onUndelivered: Gets each element that was not consumed.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The sequence.
    /// - Complexity: O(1), plus the publisher's work for a subscription.
    @inlinable
    public func elements(
        buffering: BufferingPolicy,
        subscribing time: ImmediateSubscription,
        onUndelivered: (@Sendable (Output) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> HotPublisherSequence<Output, Failure> {
        let made = CallSite(fileID: fileID, line: line)
        buffering.check(made)
        return HotPublisherSequence(self, DemandPolicy(buffering: buffering, onUndelivered: onUndelivered, made: made))
    }
}

/// The elements of a publisher that was subscribed to when the sequence was made, for one consumer.
///
/// Made by `elements(buffering:subscribing: .immediately)`.
public struct HotPublisherSequence<Element: Sendable, Failure: Error>: Sendable {
    @usableFromInline let base: CallbackSequence<Element, Failure>
    @usableFromInline let window: DemandWindow

    @inlinable
    init<Upstream: Publisher>(_ publisher: Upstream, _ policy: DemandPolicy<Element>)
    where Upstream.Output == Element, Upstream.Failure == Failure {
        (self.base, self.window) = policy.subscribe(to: publisher)
    }
}

extension HotPublisherSequence: AsyncSequence {
    /// The iteration of a publisher's elements.
    public typealias AsyncIterator = PublisherSequenceIterator<Element, Failure>

    /// Makes an iterator; dropping it, and all of its copies, cancels the subscription.
    ///
    /// - Returns: The iterator.
    /// - Complexity: O(1).
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(AsyncIterator.Iteration(of: self.base, self.window))
    }
}
#endif
