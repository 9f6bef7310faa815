// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge
public import OpenCombineShim

/// When a sequence of a publisher's elements subscribes.
@nonexhaustive
public enum SubscriptionTime: Sendable {
    /// When the first element is requested: each iteration has its own subscription.
    case atFirstNext

    /// At once, so that nothing is missed before the loop begins: one subscription, for one consumer.
    ///
    /// Written out in the call, it means ``ImmediateSubscription/immediately``, whose sequence is `Sendable`.
    case immediately
}

extension Publisher where Output: Sendable {
    /// The publisher's elements, as a sequence for `for try await`.
    ///
    /// ```swift
    /// for try await quote in quotes.elements(buffering: .bounded(capacity: 16)) { show(quote) }
    /// ```
    ///
    /// ## Demand
    /// With `.bounded(capacity:)` the sequence requests as many elements as its buffer takes, and half of that again
    /// whenever so many have been consumed: at most that many are requested or held at any time. With a capacity of 1
    /// the call of `next()` that returns an element requests it, as with `values`. `.watermark(low:high:)` requests up
    /// to the high mark whenever no more than `low` are left. The other policies request everything.
    ///
    /// Publishers that obey demand lose nothing with any buffer. A subject, a timer or a notification center does not
    /// keep elements that were not requested, nor does `share()`, `multicast`, `autoconnect()`, `debounce` or
    /// `throttle`: use `.unbounded` or `.newest(capacity:)` after these. If a publisher sends more than was requested,
    /// every element is kept, and the first extra one is reported to `BridgeDiagnostics`.
    ///
    /// ## The end
    /// The subscription is cancelled at once when the loop is left, when the task is cancelled in `next()`, or when the
    /// iterator is released. If the publisher has not sent its subscription by then, it is cancelled on arrival.
    /// Elements left in the buffer go to `onUndelivered`. Elements that came before the publisher's completion are
    /// delivered before it.
    ///
    /// ## Consumers
    /// With ``SubscriptionTime/atFirstNext`` each iteration subscribes separately. With
    /// ``SubscriptionTime/immediately`` the sequence is hot, as a `CallbackSequence` is: a second consumer gets
    /// `BridgeFault` with `secondConsumer`, or `consumerLeft` after the first has left.
    ///
    /// `subscribing: .immediately`, written out, gives a ``HotPublisherSequence``. It does not hold the publisher, so
    /// it can be sent to a task, or shared, even if the publisher is not `Sendable`.
    ///
    /// ## Cancellation
    /// `next()` throws `CancellationError`, or returns `nil` if `Failure` cannot express it. In a task already
    /// cancelled the publisher is not subscribed to.
    ///
    /// ## Isolation
    /// Subscribing and requesting happen on the consumer's actor. It may send on any thread.
    ///
    /// - Parameters:
    ///   - buffering: How many elements to request in advance, or what happens to those that come unasked.
    ///   - time: When to subscribe.
    ///   - onUndelivered: Gets each element that was not consumed.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The sequence.
    @_disfavoredOverload
    @inlinable
    public func elements(
        buffering: BufferingPolicy,
        subscribing time: SubscriptionTime = .atFirstNext,
        onUndelivered: (@Sendable (Output) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> PublisherSequence<Self> {
        // Disfavoured, so that `.immediately`, written out, is that of the other form, whose sequence is Sendable.
        let made = CallSite(fileID: fileID, line: line)
        buffering.check(made)
        return PublisherSequence(
            self,
            DemandPolicy(buffering: buffering, onUndelivered: onUndelivered, made: made),
            time
        )
    }
}

/// The elements of a publisher, made by `elements(buffering:)`.
///
/// ```swift
/// let numbers = [1, 2, 3].publisher
/// for await number in numbers.elements(buffering: .bounded(capacity: 8)) { print(number) }
/// ```
public struct PublisherSequence<Upstream: Publisher> where Upstream.Output: Sendable {
    @usableFromInline
    enum Source {
        case cold(Upstream, DemandPolicy<Upstream.Output>)
        case hot(HotPublisherSequence<Upstream.Output, Upstream.Failure>)
    }

    @usableFromInline let source: Source

    @inlinable
    init(_ publisher: Upstream, _ policy: DemandPolicy<Upstream.Output>, _ time: SubscriptionTime) {
        switch time {
        case .atFirstNext:
            self.source = .cold(publisher, policy)
        case .immediately:
            self.source = .hot(HotPublisherSequence(publisher, policy))
        }
    }
}

// Safe to send if the publisher is: everything else in it is.
extension PublisherSequence: Sendable where Upstream: Sendable {}
extension PublisherSequence.Source: Sendable where Upstream: Sendable {}

extension PublisherSequence: AsyncSequence {
    /// The publisher's elements.
    public typealias Element = Upstream.Output

    /// The publisher's errors.
    public typealias Failure = Upstream.Failure

    /// The iteration of a publisher's elements.
    public typealias AsyncIterator = PublisherSequenceIterator<Upstream.Output, Upstream.Failure>

    /// Makes an iterator; dropping it, and all of its copies, cancels the subscription.
    ///
    /// - Returns: The iterator.
    /// - Complexity: O(1).
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator {
        switch self.source {
        case .cold(let publisher, let policy):
            AsyncIterator(policy.buffering) { window, iteration in
                iteration = AsyncIterator.Iteration(base: policy.begin(publisher, window), window: window)
            }
        case .hot(let sequence):
            sequence.makeAsyncIterator()
        }
    }
}
#endif
