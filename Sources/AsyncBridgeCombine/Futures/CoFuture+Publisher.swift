// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridgeFutures
public import OpenCombineShim

extension CoFuture {
    /// A publisher of the future's result.
    ///
    /// ```swift
    /// let subscription = future.publisher().map(\.count).sink { completion in
    ///     print(completion)
    /// } receiveValue: { count in
    ///     print(count)
    /// }
    /// ```
    ///
    /// The value is held for each subscriber until it requests one; an error is sent at once. A cancelled future fails
    /// with `CancellationError`.
    ///
    /// ## Cancellation
    /// By default, cancelling a subscription does not affect the future, because others may wait for it. Dropping a
    /// subscription that has not requested the value cancels it.
    ///
    /// ## Isolation
    /// The subscriber gets a result that comes later on the actor named here, by default that of the calling code;
    /// without an actor, where the future is completed. It gets a result that is there where it subscribes, or where it
    /// requests it. The publisher does not keep the actor alive.
    ///
    /// - Parameters:
    ///   - actor: The actor to send on; `nil` for the place where the future is completed. Held weakly.
    ///   - policy: What cancelling a subscription does: with `propagate` it cancels the future; otherwise it ends only
    ///     the subscription.
    /// - Returns: The publisher.
    /// - Complexity: O(1), and for each subscriber. With an actor, each subscriber starts a task for the result.
    public func publisher(
        on actor: (any Actor)? = #isolation,
        cancellation policy: WaitPolicy = .abandon
    ) -> CoFuturePublisher<Value> {
        CoFuturePublisher(self, actor.map { WeakActor($0) }, policy)
    }
}

/// A publisher of a future's result, made by `publisher(on:cancellation:)`.
public struct CoFuturePublisher<Output: Sendable>: Publisher, Sendable {
    /// A future fails with any error.
    public typealias Failure = any Error

    private let future: CoFuture<Output>
    // Where results that come later are sent.
    private let place: WeakActor?
    private let policy: WaitPolicy

    init(_ future: CoFuture<Output>, _ place: WeakActor?, _ policy: WaitPolicy) {
        self.future = future
        self.place = place
        self.policy = policy
    }

    /// Gives a subscriber its own subscription.
    ///
    /// - Parameter subscriber: The subscriber.
    /// - Complexity: O(1).
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        SubscriberOfMainActor.explain
        let storage = ResultStorage(Receiver<Output, any Error>(subscriber))
        subscriber.receive(subscription: ResultSubscription(storage))
        self.observe(for: storage)
    }

    private func observe(for storage: ResultStorage<Output, any Error>) {
        storage.begin {
            if self.place != nil, let result = self.future.result {
                storage.settle(result)
                return {}
            }
            let leave = self.future.whenSettled { [place = self.place] result in
                guard let place else { return storage.settle(result) }
                Task { await storage.settle(result, on: place.actor) }
            }
            guard self.policy == .propagate else { return leave }
            // Weakly: a promise that nothing else holds must fail.
            return { [weak future = self.future] in
                leave()
                future?.cancel()
            }
        } else: {
            if self.policy == .propagate { self.future.cancel() }
        }
    }
}
#endif
