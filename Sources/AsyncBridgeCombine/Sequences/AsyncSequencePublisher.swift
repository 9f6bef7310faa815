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
    /// being sent at that moment; the sequence's `CancellationError` is not reported. An element that had left the
    /// sequence by then, and was not sent yet, goes back to the `onUndelivered` of a `CallbackSequence`, of a channel,
    /// or of a publisher's `elements`; other sequences have no place for it. Combine's own subscribers, such as `sink`,
    /// ignore the one that is being sent: where none may be lost, write a subscriber.
    ///
    /// ## Isolation
    /// Signals come one after another, on the actor or executor named here, which is by default the actor of the code
    /// that calls this function, and Swift's pool if it has none. So a closure of `sink` may use what belongs to the
    /// code around it. The task takes its task-locals from the code that first requests elements, which is usually the
    /// code that subscribes.
    ///
    /// The publisher does not keep the actor alive, so an actor may store a subscription that sends to it: the actor's
    /// end, which drops the subscription, cancels. Elements for a subscription that others still hold then come in
    /// Swift's pool.
    ///
    /// - Parameters:
    ///   - actor: The actor to send on; `nil` for Swift's pool. Held weakly.
    ///   - priority: The task's priority; defaults to that of the code that first requests elements.
    /// - Returns: The publisher.
    /// - Complexity: O(1); each subscriber starts one task.
    @inlinable
    public func publisher(
        on actor: (any Actor)? = #isolation,
        priority: TaskPriority? = nil
    ) -> AsyncSequencePublisher<Self> where Element: Sendable {
        AsyncSequencePublisher(self, sendingOn: actor, nil, priority)
    }

    /// A publisher of the sequence's elements, which sends in a task on a given executor.
    ///
    /// Everything else is as in ``publisher(on:priority:)``.
    ///
    /// - Parameters:
    ///   - actor: The actor to send on, if there is one. Held weakly.
    ///   - executor: The task executor to iterate and to send on, if there is no actor, or if the actor has no executor
    ///     of its own.
    ///   - priority: The task's priority; defaults to that of the code that first requests elements.
    /// - Returns: The publisher.
    /// - Complexity: O(1); each subscriber starts one task.
    @inlinable
    public func publisher(
        on actor: (any Actor)? = nil,
        executor: (any TaskExecutor)?,
        priority: TaskPriority? = nil
    ) -> AsyncSequencePublisher<Self> where Element: Sendable {
        AsyncSequencePublisher(self, sendingOn: actor, executor, priority)
    }

    /// A publisher of the sequence's elements, which need not be `Sendable`.
    ///
    /// The elements do not leave the task that iterates, so it runs on the actor, and keeps it alive until it ends: an
    /// actor that stores the subscription must cancel it. Everything else is as in the form for `Sendable` elements.
    ///
    /// - Parameters:
    ///   - actor: The actor to iterate and to send on; `nil` for Swift's pool.
    ///   - priority: The task's priority; defaults to that of the code that first requests elements.
    /// - Returns: The publisher.
    /// - Complexity: O(1); each subscriber starts one task.
    @inlinable
    public func publisher(
        on actor: (any Actor)? = #isolation,
        priority: TaskPriority? = nil
    ) -> AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self, PumpContext(isolation: actor, executor: nil, priority: priority))
    }

    /// A publisher of the sequence's elements, which need not be `Sendable`, in a task on a given executor.
    ///
    /// An actor is kept alive until the task ends. Everything else is as in the form for `Sendable` elements.
    ///
    /// - Parameters:
    ///   - actor: The actor to iterate and to send on, if there is one.
    ///   - executor: The task executor to iterate and to send on, if there is no actor, or if the actor has no executor
    ///     of its own.
    ///   - priority: The task's priority; defaults to that of the code that first requests elements.
    /// - Returns: The publisher.
    /// - Complexity: O(1); each subscriber starts one task.
    @inlinable
    public func publisher(
        on actor: (any Actor)? = nil,
        executor: (any TaskExecutor)?,
        priority: TaskPriority? = nil
    ) -> AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self, PumpContext(isolation: actor, executor: executor, priority: priority))
    }
}

/// A publisher of an async sequence's elements, made by `publisher(on:priority:)`.
public struct AsyncSequencePublisher<Base: AsyncSequence & Sendable>: Publisher, Sendable {
    /// The sequence's elements.
    public typealias Output = Base.Element

    /// The sequence's errors.
    public typealias Failure = Base.Failure

    @usableFromInline let base: Base
    @usableFromInline let context: PumpContext
    @usableFromInline let iterate: SequencePump<Base>.Iterate
    @usableFromInline let courier: SequencePump<Base>.Courier?

    @inlinable
    init(_ base: Base, _ context: PumpContext, _ courier: SequencePump<Base>.Courier? = nil) {
        self.base = base
        self.context = context
        self.iterate = { pump, isolation in await pump.pump(isolation) }
        self.courier = courier
    }

    @inlinable
    init(
        _ base: Base,
        sendingOn actor: (any Actor)?,
        _ executor: (any TaskExecutor)?,
        _ priority: TaskPriority?
    ) where Base.Element: Sendable {
        // The main actor has no end. To iterate there saves a change of the thread for each element.
        if let actor, actor !== MainActor.shared {
            let context = PumpContext(isolation: nil, executor: executor, priority: priority)
            self.init(base, context, SequencePump.courier(to: actor))
        } else {
            self.init(base, PumpContext(isolation: actor, executor: executor, priority: priority))
        }
    }

    /// Gives a subscriber its own subscription.
    ///
    /// - Parameter subscriber: The subscriber.
    /// - Complexity: O(1).
    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let pump = SequencePump(self.base, self.context, self.iterate, self.courier, Receiver(subscriber))
        let subscription = PumpSubscription(pump)
        subscriber.receive(subscription: subscription)
        pump.subscribed()
        // Not dropped before: what the subscriber has requested by then is still sent.
        withExtendedLifetime(subscription) {}
    }
}
#endif
