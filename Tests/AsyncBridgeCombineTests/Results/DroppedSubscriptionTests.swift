// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombine
import AsyncBridgeFutures
import OpenCombineShim
import Testing

/// `TaskPublisher` and `CoFuture.publisher()`, as the table of the guide "Offer a publisher" says.
@Suite("A subscription to one result that is dropped", .timeLimit(.minutes(10)))
struct DroppedSubscriptionTests {
    private typealias Subscriber = HandSubscriber<Int, any Error>

    private let promise = CoPromise<Int>()

    /// A publisher of the promise's value; the task tells what becomes of it.
    private func publisher(
        _ isTask: Bool,
        _ hasBegun: Flag = Flag(),
        _ isCancelled: Flag = Flag()
    ) -> AnyPublisher<Int, any Error> {
        guard isTask else { return self.promise.publisher(cancellation: .propagate).eraseToAnyPublisher() }
        return TaskPublisher { [promise] in
            hasBegun.set()
            return try await withTaskCancellationHandler {
                try await promise.value
            } onCancel: {
                isCancelled.set()
            }
        }
        .eraseToAnyPublisher()
    }

    @Test(arguments: [true, false])
    func `without demand: at once as after cancel()`(_ isTask: Bool) async {
        let (hasBegun, isCancelled) = (Flag(), Flag())
        weak var weakSubscriber: Subscriber?
        do {
            let subscriber = Subscriber()
            weakSubscriber = subscriber
            self.publisher(isTask, hasBegun, isCancelled).subscribe(subscriber)
            if isTask { await until { hasBegun.value } }
            subscriber.forget()
        }
        // The function has not ended.
        #expect(weakSubscriber == nil)
        #expect(isTask ? isCancelled.value : self.promise.isCancelled)
        self.promise.success(1)
    }

    @Test(arguments: [true, false])
    func `with a value that is held: at once, too`(_ isTask: Bool) async {
        weak var weakSubscriber: Subscriber?
        do {
            let subscriber = Subscriber()
            weakSubscriber = subscriber
            let publisher = isTask ? self.publisher(true) : self.promise.publisher().eraseToAnyPublisher()
            publisher.subscribe(subscriber)
            self.promise.success(1)
            subscriber.forget()
        }
        // The task may be delivering its value at this moment.
        await until { weakSubscriber == nil }
    }

    @Test(arguments: [true, false])
    func `with demand: the value and the end are sent, and the subscriber is released`(_ isTask: Bool) async {
        let (values, isCancelled) = (Collected<Int>(), Flag())
        weak var weakSubscriber: Subscriber?
        do {
            let subscriber = Subscriber(onValue: { _, value in
                values.append(value)
                return .none
            })
            weakSubscriber = subscriber
            self.publisher(isTask, Flag(), isCancelled).subscribe(subscriber)
            subscriber.request(.max(1))
            subscriber.forget()
        }
        #expect(weakSubscriber != nil)
        self.promise.success(5)
        await until { weakSubscriber == nil }
        #expect(values.all == [5])
        #expect(!isCancelled.value)
    }

    @Test(arguments: [true, false])
    func `while it is received: the function starts only for a value that was asked for`(_ isTask: Bool) async {
        for requested in 0...1 {
            let (hasBegun, values) = (Flag(), Collected<Int>())
            let subscriber = Subscriber(
                onSubscription: { subscriber in
                    subscriber.request(.max(requested))
                    subscriber.forget()
                },
                onValue: { _, value in
                    values.append(value)
                    return .none
                }
            )
            let promise = CoPromise<Int>()
            if isTask {
                TaskPublisher {
                    hasBegun.set()
                    return try await promise.value
                }.subscribe(subscriber)
            } else {
                promise.publisher().subscribe(subscriber)
            }
            promise.success(1)
            if requested == 1 { await until { subscriber.isOver } }
            for _ in 0..<20 { await Task.yield() }
            #expect(values.all.count == requested)
            #expect(hasBegun.value == (isTask && requested == 1))
        }
    }
}
#endif
