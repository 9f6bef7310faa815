// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import OpenCombineShim

extension AsyncSequence where Self: Sendable {
    /// A publisher of the sequence's elements, which pulls no more of them than its subscriber requests.
    ///
    /// ```swift
    /// let subscription = locations.publisher(on: MainActor.shared).sink { completion in
    ///     map.hidePointer()
    /// } receiveValue: { location in
    ///     map.show(location)
    /// }
    /// ```
    ///
    /// ## Demand
    /// A subscriber that requests three elements gets three, and the sequence has been asked for three, not four. So
    /// the subscriber gets the end when it requests more elements than there are. Demand returned from `receive(_:)`,
    /// or requested inside it, is added; nothing recurses.
    ///
    /// ## Subscribers
    /// Each one gets its own iteration, made when it first requests elements. A sequence for one consumer, such as an
    /// `AsyncStream`, should have one subscriber: several share its elements between them. Use `share` of the publisher
    /// for many.
    ///
    /// ## Cancellation
    /// Cancelling the subscription cancels the task that iterates, and releases the subscriber. So does dropping it,
    /// once the subscriber has received the requested elements. Nothing is sent after that, except an element that is
    /// being sent at that moment; the sequence's `CancellationError` is not reported.
    ///
    /// ## Isolation
    /// One task iterates and sends: signals come one after another. It runs on the actor or executor named here, or in
    /// Swift's pool. It takes its task-locals from the code that first requests elements, which is usually the code
    /// that subscribes.
    ///
    /// - Parameters:
    ///   - actor: The actor to iterate and to send on.
    ///   - executor: The task executor to iterate and to send on, if there is no actor.
    ///   - priority: The task's priority; defaults to that of the code that first requests elements.
    /// - Returns: The publisher.
    /// - Complexity: O(1); each subscriber starts one task.
    @inlinable
    public func publisher(
        on actor: (any Actor)? = nil,
        executor: (any TaskExecutor)? = nil,
        priority: TaskPriority? = nil
    ) -> AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self, PumpContext(isolation: actor, executor: executor, priority: priority))
    }
}

/// A publisher of an async sequence's elements, made by `publisher(on:executor:priority:)`.
public struct AsyncSequencePublisher<Base: AsyncSequence & Sendable>: Publisher, Sendable {
    /// The sequence's elements.
    public typealias Output = Base.Element

    /// The sequence's errors.
    public typealias Failure = Base.Failure

    @usableFromInline let base: Base
    @usableFromInline let context: PumpContext
    @usableFromInline let iterate: SequencePump<Base>.Iterate

    @inlinable
    init(_ base: Base, _ context: PumpContext) {
        self.base = base
        self.context = context
        self.iterate = { pump, isolation in await pump.pump(isolation) }
    }

    /// Gives a subscriber its own subscription.
    ///
    /// - Parameter subscriber: The subscriber.
    /// - Complexity: O(1).
    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let pump = SequencePump(self.base, self.context, self.iterate, Receiver(subscriber))
        let subscription = PumpSubscription(pump)
        subscriber.receive(subscription: subscription)
        pump.subscribed()
    }
}
#endif
