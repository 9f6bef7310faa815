// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import OpenCombineShim
import Testing

/// Each in a process of its own, in which no other task gets a thread any more.
@Suite("What blocks Swift's pool is named", .threads, .timeLimit(.minutes(10)))
struct BlockedPoolTests {
    /// It is not accused of what its own tasks do not come to.
    @Test func `a publisher in request(_:)`() async {
        await #expect(processExitsWith: .success) {
            let violations = await PublisherVerification("mine", promises: .wrong) { TaskNumbers(count: $0) }.check()
            Self.expectOnlyTheFirst(violations, "it is subscribed to and requested at once")
            exit(EXIT_SUCCESS)
        }
    }

    @Test func `a driven publisher when the source sends`() async {
        await #expect(processExitsWith: .success) {
            let verification = PublisherVerification.driven("mine", promises: .wrong) { driver in
                let subject = PassthroughSubject<Int, SourceError>()
                let box = Box(value: subject)
                driver.onEvent { event in
                    guard case .element(let element) = event else { return }
                    Pool.block()
                    Task { box.value.send(element) }
                }
                return subject
            }
            Self.expectOnlyTheFirst(await verification.check(), "driven, everything is requested")
            exit(EXIT_SUCCESS)
        }
    }

    @Test func `a subscriber in receive(_:)`() async {
        await #expect(processExitsWith: .success) {
            let violations = await SubscriberVerification("mine", promises: .wrong) { publisher in
                let collector = TaskCollector()
                publisher.subscribe(collector)
                return { collector.cancel() }
            }
            .check()
            Self.expectOnlyTheFirst(violations, "elements come as they are requested")
            exit(EXIT_SUCCESS)
        }
    }

    private static func expectOnlyTheFirst(_ violations: [Violation], _ scenario: String) {
        #expect(Set(violations.map(\.scenario)) == [scenario], "\(violations)")
        #expect(violations.first?.law == .noBlocking, "\(violations)")
        #expect(violations.first?.rule == nil, "\(violations)")
        #expect(violations.first?.explanation.contains(Pool.isNamed) == true, "\(violations)")
        #expect(violations.first?.notRun.count ?? 0 > 10, "\(violations)")
        expectComplete(violations)
    }
}

/// Safe: what is in it may be used on any thread.
private struct Box<Value>: @unchecked Sendable {
    let value: Value
}

/// Sends in a task, and keeps all threads of the pool from the first request on.
private struct TaskNumbers: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    let count: Int

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let run = NumbersSubscription(AnySubscriber(subscriber), Numbers(self.count))
        subscriber.receive(subscription: Run(Box(value: run)))
    }

    private final class Run: Subscription {
        private let run: Box<NumbersSubscription>

        init(_ run: Box<NumbersSubscription>) { self.run = run }

        func request(_ demand: Subscribers.Demand) {
            Pool.block()
            let run = self.run
            Task { run.value.request(demand) }
        }

        func cancel() { self.run.value.cancel() }
    }
}

/// Requests in a task, and keeps all threads of the pool from the first element on.
///
/// Safe: what changes is changed under the lock.
private final class TaskCollector: Subscriber, @unchecked Sendable {
    typealias Input = Int
    typealias Failure = SourceError

    private let lock = NSLock()
    private var subscription: (any Subscription)?

    func receive(subscription: any Subscription) {
        let isFirst = self.lock.withLock {
            defer { self.subscription = self.subscription ?? subscription }
            return self.subscription == nil
        }
        if isFirst { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        Pool.block()
        Task { self.lock.withLock { self.subscription }?.request(.max(1)) }
        return .none
    }

    func receive(completion: Subscribers.Completion<SourceError>) { self.lock.withLock { self.subscription = nil } }

    func cancel() {
        let subscription = self.lock.withLock {
            defer { self.subscription = nil }
            return self.subscription
        }
        subscription?.cancel()
    }
}
#endif
