// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombine
import AsyncBridgeFutures
import OpenCombineShim
import Testing

@Suite("Futures and publishers, both ways", .timeLimit(.minutes(10)))
struct FuturePublisherTests {
    private let promise = CoPromise<Int>()

    @Test
    func `all subscribers of a future get its value, the one that comes late too`() {
        let subscribers = (0..<3).map { _ in HandSubscriber<Int, any Error>() }
        for subscriber in subscribers.prefix(2) {
            self.promise.publisher().subscribe(subscriber)
            subscriber.request(.max(1))
        }
        self.promise.success(4)
        self.promise.publisher().subscribe(subscribers[2])
        subscribers[2].request(.unlimited)
        for subscriber in subscribers {
            #expect(subscriber.values == [4] && subscriber.hasFinished && subscriber.violations.isEmpty)
        }
    }

    @Test
    func `a cancelled future fails with a CancellationError`() {
        let subscriber = HandSubscriber<Int, any Error>()
        self.promise.publisher().subscribe(subscriber)
        self.promise.cancel()
        #expect(subscriber.failure is CancellationError)
    }

    @Test
    func `cancelling one subscription leaves the future and the others alone, unless the policy says otherwise`() {
        let (first, second) = (HandSubscriber<Int, any Error>(), HandSubscriber<Int, any Error>())
        for subscriber in [first, second] {
            self.promise.publisher().subscribe(subscriber)
            subscriber.request(.max(1))
        }
        first.cancel()
        #expect(!self.promise.isCancelled)
        let third = HandSubscriber<Int, any Error>()
        self.promise.publisher(cancellation: .propagate).subscribe(third)
        third.cancel()
        #expect(self.promise.isCancelled)
        #expect(second.failure is CancellationError)
        #expect(first.values.isEmpty && !first.isOver && !third.isOver)
    }

    @Test
    func `a subscriber that cancels at once, when the subscription comes, cancels the future if the policy says so`() {
        for policy in [WaitPolicy.abandon, .propagate] {
            let promise = CoPromise<Int>()
            let subscriber = HandSubscriber<Int, any Error>(onSubscription: { $0.cancel() })
            promise.publisher(cancellation: policy).subscribe(subscriber)
            #expect(promise.isCancelled == (policy == .propagate))
            #expect(!subscriber.isOver)
        }
    }

    @Test(arguments: [WaitPolicy.abandon, .ignore, .propagate]
    )
    func `a cancelled subscription leaves nothing in a future without a result`(policy: WaitPolicy) {
        weak var released: HandSubscriber<Int, any Error>?
        let keeper = CoPromise<Int>()
        do {
            let subscriber = HandSubscriber<Int, any Error>()
            released = subscriber
            keeper.publisher(cancellation: policy).subscribe(subscriber)
            subscriber.request(.max(1))
            subscriber.cancel()
            subscriber.forget()
        }
        #expect(released == nil)
        #expect(keeper.isCancelled == (policy == .propagate))
    }

    @Test(arguments: [WaitPolicy.abandon, .propagate]
    )
    func `a subscription does not keep a promise that nothing else holds`(policy: WaitPolicy) {
        let subscriber = HandSubscriber<Int, any Error>()
        CoPromise<Int>().publisher(cancellation: policy).subscribe(subscriber)
        #expect(subscriber.failure is CoFutureError)
    }

    @Test
    func `a future of a publisher subscribes at once, and cancelling it cancels, once, also before the subscription`() {
        for isLate in [true, false] {
            let publisher = HandPublisher<Int, Never>(isLate: isLate)
            let future = publisher.subscribeCoFuture()
            #expect(publisher.subscriptions.count == 1)
            future.cancel()
            if isLate { publisher.current?.sendSubscription() }
            #expect(publisher.current?.cancels == 1)
            #expect(publisher.current?.requests == (isLate ? [] : [.max(1)]))
        }
    }

    @Test
    func `dropping a future does not cancel: its observers want the result`() {
        let publisher = HandPublisher<Int, Never>()
        let values = Collected<Int>()
        publisher.subscribeCoFuture().whenSuccess { values.append($0) }
        #expect(publisher.current?.cancels == 0)
        publisher.send(1)
        #expect(values.all == [1])
        #expect(publisher.current?.cancels == 1)
    }
}
#endif
