// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeCombineTesting
import AsyncBridgeTesting
import Foundation
import OpenCombineShim
import Testing

/// Numbers to which another thread subscribes: one of its own, since other tests keep Dispatch's busy.
private struct LateNumbers: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    /// Safe: the thread is the only one that uses it.
    private struct Handover<S>: @unchecked Sendable {
        let subscriber: S
    }

    let count: Int

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let handover = Handover(subscriber: AnySubscriber(subscriber))
        Thread.detachNewThread { [count] in Numbers(count).receive(subscriber: handover.subscriber) }
    }
}

/// Numbers of which one may still be on its way when the cancellation returns, on a thread that has to wait: until the
/// next request, here.
private struct DelayedNumbers: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    /// Sends at the first request, and gives a cancellation time half-way.
    ///
    /// Safe: what changes is changed under the lock.
    private final class Run: Subscription, @unchecked Sendable {
        private let lock = NSLock()
        private let count: Int
        private var subscriber: AnySubscriber<Int, SourceError>?
        private var onItsWay: AnySubscriber<Int, SourceError>?
        /// Nothing is on its way on the thread that cancels.
        private var canceller: pthread_t?
        private var next = 0
        /// Then another thread has the one that may be late.
        private var isSending = false

        init(_ subscriber: AnySubscriber<Int, SourceError>, count: Int) {
            self.subscriber = subscriber
            self.count = count
        }

        func request(_ demand: Subscribers.Demand) {
            if let late = self.lock.withLock({ self.takeLate() }) { _ = late.receive(self.next) }
            while let (subscriber, number) = self.takeNext() {
                guard number < self.count else { return subscriber.receive(completion: .finished) }
                _ = subscriber.receive(number)
                self.lock.withLock { self.isSending = false }
                if number == self.count / 2 { self.giveTime() }
            }
        }

        func cancel() {
            self.lock.withLock {
                if self.next < self.count, !self.isSending { self.onItsWay = self.subscriber }
                self.canceller = pthread_self()
                self.subscriber = nil
            }
        }

        private func takeLate() -> AnySubscriber<Int, SourceError>? {
            if let canceller, pthread_equal(canceller, pthread_self()) != 0 { return nil }
            return self.onItsWay.take()
        }

        private func giveTime() {
            for _ in 0..<100_000 where self.lock.withLock({ self.subscriber != nil }) {}
        }

        private func takeNext() -> (AnySubscriber<Int, SourceError>, Int)? {
            self.lock.withLock {
                guard let subscriber = self.subscriber else { return nil }
                if self.next == self.count { self.subscriber = nil }
                self.isSending = true
                defer { self.next += 1 }
                return (subscriber, self.next)
            }
        }
    }

    let count: Int

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        subscriber.receive(subscription: Run(AnySubscriber(subscriber), count: self.count))
    }
}

/// An end that comes from another thread, which may have decided on it when it is cancelled.
private struct LateEnd: Publisher {
    typealias Output = Int
    typealias Failure = SourceError

    let failure: SourceError?

    /// Safe: what changes is changed under the lock.
    private final class Run: Subscription, @unchecked Sendable {
        private let lock = NSLock()
        private var subscriber: AnySubscriber<Int, SourceError>?

        init(_ subscriber: AnySubscriber<Int, SourceError>) { self.subscriber = subscriber }

        func request(_ demand: Subscribers.Demand) {}

        func cancel() { self.lock.withLock { self.subscriber = nil } }

        func end(_ completion: Subscribers.Completion<SourceError>) {
            guard let subscriber = self.lock.withLock({ self.subscriber.take() }) else { return }
            // As if the system had given the processor to others here: a cancellation comes in between.
            Thread.sleep(forTimeInterval: 0.001)
            subscriber.receive(completion: completion)
        }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == SourceError {
        let run = Run(AnySubscriber(subscriber))
        subscriber.receive(subscription: run)
        Thread.detachNewThread { [failure] in run.end(failure.map { .failure($0) } ?? .finished) }
    }
}

@Suite("Right publishers obey the rules", .timeLimit(.minutes(10)))
struct RightPublisherTests {
    @Test func numbers() async {
        let promises = PublisherPromises.right.with { $0.finishesWithoutRequest = true }
        expectNone(await PublisherVerification.numbers("Numbers", promises: promises).check())
    }

    /// As deep as the stack would be long: at 16 bytes for each call, it would need 30 times what it has.
    @Test func `a million requests inside each other`() async {
        let promises = PublisherPromises.right.with { $0.recursionCount = 1_000_000 }
        let verification = PublisherVerification.numbers("Numbers", promises: promises)
        expectNone(await verification.check(only: ["each of very many receive(_:) requests one more"]))
    }

    @Test func relay() async {
        expectNone(await PublisherVerification.driven("Relay", promises: .right) { Relay($0) }.check())
    }

    /// Its subscription comes later, on another thread.
    @Test func `numbers that subscribe late`() async {
        let promises = PublisherPromises.right.with { $0.counts = 0...1_000 }
        let verification = PublisherVerification("LateNumbers", promises: promises) { LateNumbers(count: $0) }
        expectNone(await verification.check())
    }

    /// An element that a busy thread sends late is not one that a request after the cancellation has brought.
    @Test func `numbers that are late when they are cancelled`() async {
        let verification = PublisherVerification("DelayedNumbers", promises: .right) { DelayedNumbers(count: $0) }
        expectNone(await verification.check(only: ["cancellation and the elements race"]))
    }

    @Test func `one that ends by itself on another thread`() async {
        let promises = PublisherPromises.right.with { $0.counts = 0...0 }
        let verification = PublisherVerification("LateEnd", promises: promises) { _ in LateEnd(failure: nil) }
            .failing { _, error in LateEnd(failure: error) }
        expectNone(await verification.check(only: ["random histories are played"]))
    }

    @Test func `other elements`() async {
        let verification = PublisherVerification(
            "texts",
            promises: .right,
            number: { (text: String) in Int(text) ?? -1 },
            elements: { Numbers($0).map { "\($0)" } }
        )
        expectNone(await verification.check())
    }
}
#endif
