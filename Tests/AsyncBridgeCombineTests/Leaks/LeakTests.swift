// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeFutures
import AsyncBridgeTesting
import OpenCombineShim
import Testing

import AsyncBridgeCombine

/// After each kind of end everything is released: elements, subscribers, subscriptions, closures.
@Suite("Leaks", .timeLimit(.minutes(10)))
struct LeakTests {
    typealias Token = LifetimeTracker.Token

    /// How a publisher's or a consumer's part ends.
    enum End: CaseIterable {
        case finish
        case fail
        case leave
        case cancel
        case forget
    }

    private let tracker = LifetimeTracker()

    // MARK: From publishers

    @Test(arguments: End.allCases, [SubscriptionTime.atFirstNext, .immediately])
    func `elements(buffering:)`(_ end: End, _ time: SubscriptionTime) async throws {
        CollectedReports.begin()
        weak var weakPublisher: HandPublisher<Token, any Error>?
        weak var weakSubscription: HandSubscription<Token, any Error>?
        do {
            let publisher = HandPublisher<Token, any Error>()
            weakPublisher = publisher
            let closure = self.tracker.token("onUndelivered")
            let elements = publisher.elements(
                buffering: .bounded(capacity: 2),
                subscribing: time,
                onUndelivered: { _ in _ = closure }
            )
            let executor = ManualExecutor()
            let task = Task(executorPreference: executor) {
                var count = 0
                do {
                    for try await _ in elements {
                        count += 1
                        if end == .leave { break }
                    }
                } catch {}
                return count
            }
            executor.run()
            weakSubscription = publisher.current
            // One is consumed, one is in the buffer when the consumer leaves.
            for _ in 0..<2 { publisher.send(self.tracker.token("element")) }
            executor.run()
            switch end {
            case .finish: publisher.send(completion: .finished)
            case .fail: publisher.send(completion: .failure(Failure()))
            case .cancel: task.cancel()
            case .forget: publisher.forget()
            case .leave: break
            }
            executor.run()
            #expect(await task.value == (end == .leave ? 1 : 2))
        }
        try await self.tracker.allReleased()
        #expect(weakPublisher == nil && weakSubscription == nil)
    }

    @Test(arguments: End.allCases, [PublisherValue.first, .last, .single])
    func `one value, as a function and as a future`(_ end: End, _ wanted: PublisherValue) async throws {
        CollectedReports.begin()
        weak var weakSubscription: HandSubscription<Token, any Error>?
        do {
            let publisher = HandPublisher<Token, any Error>()
            let future = publisher.subscribeCoFuture(wanted)
            let closure = self.tracker.token("observer")
            future.whenComplete { _ in _ = closure }
            weakSubscription = publisher.current
            if end != .forget { publisher.send(self.tracker.token("element")) }
            switch end {
            case .finish: publisher.send(completion: .finished)
            case .fail: publisher.send(completion: .failure(Failure()))
            case .cancel, .leave: future.cancel()
            case .forget: publisher.forget()
            }
            #expect(future.result != nil)
        }
        try await self.tracker.allReleased()
        #expect(weakSubscription == nil)
    }

    @Test(arguments: End.allCases, [true, false])
    func `subscribeCoChannel(buffering:)`(_ end: End, _ isBounded: Bool) async throws {
        weak var weakPublisher: HandPublisher<Token, any Error>?
        do {
            let publisher = HandPublisher<Token, any Error>()
            weakPublisher = publisher
            let receiver = publisher.subscribeCoChannel(buffering: isBounded ? .bounded(capacity: 2) : .unbounded)
            for _ in 0..<2 { publisher.send(self.tracker.token("element")) }
            switch end {
            case .finish: publisher.send(completion: .finished)
            case .fail: publisher.send(completion: .failure(Failure()))
            case .cancel: receiver.cancel()
            case .forget: publisher.forget()
            case .leave: break
            }
        }
        try await self.tracker.allReleased()
        await until { weakPublisher == nil }
    }

    // MARK: To publishers

    @Test(arguments: End.allCases)
    func `publisher() of a sequence`(_ end: End) async throws {
        weak var weakSubscriber: HandSubscriber<Int, any Error>?
        do {
            let executor = ManualExecutor()
            let closure = self.tracker.token("closure of the sequence")
            let sequence = HandSequence(onNext: { _ = closure })
            let other = self.tracker.token("closure of the subscriber")
            let subscriber = HandSubscriber<Int, any Error>(onValue: { _, _ in
                _ = other
                return .none
            })
            weakSubscriber = subscriber
            sequence.publisher(executor: executor).subscribe(subscriber)
            sequence.take(.value(1))
            subscriber.request(.max(1))
            executor.run()
            switch end {
            case .finish, .fail:
                sequence.take(end == .fail ? .fail : .finish)
                subscriber.request(.max(1))
            // While it has no demand, while it waits for the sequence, and inside the sequence's wait.
            case .leave:
                subscriber.cancel()
            case .cancel, .forget:
                subscriber.request(.max(1))
                if end == .forget { executor.run() }
                subscriber.cancel()
            }
            executor.run()
            // A subscriber and its subscription hold each other until one of them ends it.
            subscriber.forget()
        }
        #expect(weakSubscriber == nil)
        try await self.tracker.allReleased()
    }

    @Test(arguments: End.allCases, [true, false])
    func `TaskPublisher and CoFuture.publisher()`(_ end: End, _ isTask: Bool) async throws {
        weak var weakSubscriber: HandSubscriber<Token, any Error>?
        do {
            let promise = CoPromise<Token>()
            let closure = self.tracker.token("closure")
            let subscriber = HandSubscriber<Token, any Error>(onValue: { _, _ in
                _ = closure
                return .none
            })
            weakSubscriber = subscriber
            if isTask {
                TaskPublisher { [tracker] in
                    _ = closure
                    return try await withTaskCancellationHandler {
                        try await promise.value
                    } onCancel: {
                        promise.success(tracker.token("late"))
                    }
                }.subscribe(subscriber)
            } else {
                promise.publisher(cancellation: .propagate).subscribe(subscriber)
            }
            switch end {
            case .finish:
                subscriber.request(.max(1))
                promise.success(self.tracker.token("value"))
            case .fail:
                promise.fail(Failure())
            // With demand, without it, and with a value that is held.
            case .cancel:
                subscriber.request(.max(1))
                subscriber.cancel()
            case .leave:
                subscriber.cancel()
            case .forget:
                promise.success(self.tracker.token("value"))
                subscriber.cancel()
            }
            if end == .finish || end == .fail { await until { subscriber.isOver } }
            subscriber.forget()
            // A recorded value is the subscriber's.
            if isTask { for _ in 0..<20 { await Task.yield() } }
        }
        await until { weakSubscriber == nil }
        try await self.tracker.allReleased()
    }
}
#endif
