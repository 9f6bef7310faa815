// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridgeFutures
import Dispatch
import OpenCombineShim
import Synchronization
import Testing

import AsyncBridgeCombine

/// Publishers and subscribers that three threads subscribe, feed, ask and cancel at once.
@Suite("Stress: publishers on threads", .timeLimit(.minutes(60)))
struct PublisherStressTests {
    /// Several rounds go on side by side: threads that wait for each other in every round would do little else.
    private static let batch = 500

    /// Lets three threads act on each of many subjects, the first of them in another order each time.
    private static func rounds<Subject: Sendable>(
        _ count: Int,
        _ make: () -> Subject,
        _ actors: [@Sendable (Subject) -> Void],
        _ finish: (Subject) async -> Void
    ) async {
        for _ in 0..<max(1, count / Self.batch) {
            let subjects = (0..<Self.batch).map { _ in make() }
            let arrived = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: actors.count) { number in
                arrived.add(1, ordering: .acquiringAndReleasing)
                // All of them begin, if there are as many processors.
                for _ in 0..<10_000 where arrived.load(ordering: .acquiring) < actors.count {}
                for subject in subjects { actors[number](subject) }
            }
            for subject in subjects { await finish(subject) }
        }
    }

    @Test
    func `Upstream: a subscription that comes while it is asked for elements and cancelled`() async {
        await Self.rounds(
            StressScale.rounds(100_000),
            { UpstreamSubject() },
            [
                { $0.upstream.receive($0.subscription) },
                { subject in for _ in 0..<2 { subject.upstream.request(.max(1)) } },
                { $0.upstream.cancel() },
            ]
        ) { subject in
            #expect(subject.subscription.cancels == 1)
            #expect(subject.subscription.requested <= .max(2))
            #expect(!subject.hasOverlapped.value)
        }
    }

    private final class UpstreamSubject: Sendable {
        let upstream = Upstream()
        let subscription = HandSubscription(Receiver(HandSubscriber<Int, Never>()))
        let hasOverlapped = Flag()
        private let running = Count()

        init() {
            self.subscription.onRequest { [running, hasOverlapped] _ in
                if running.add() > 1 { hasOverlapped.set() }
                running.add(-1)
            }
        }
    }

    @Test
    func `Upstream: no demand is lost between threads`() async {
        await Self.rounds(
            StressScale.rounds(100_000),
            { UpstreamSubject() },
            [
                { $0.upstream.receive($0.subscription) },
                { subject in for _ in 0..<3 { subject.upstream.request(.max(1)) } },
                { subject in for _ in 0..<3 { subject.upstream.request(.max(2)) } },
            ]
        ) { subject in
            #expect(subject.subscription.requested == .max(9))
            #expect(!subject.hasOverlapped.value)
            subject.upstream.complete()
        }
    }

    @Test
    func `a result that comes while it is asked for and cancelled is sent once, or not`() async {
        await Self.rounds(
            StressScale.rounds(100_000),
            { ResultSubject() },
            [
                { $0.promise.success(1) },
                { $0.subscriber.request(.max(1)) },
                { subject in if subject.isCancelled { subject.subscriber.cancel() } },
            ]
        ) { subject in
            let subscriber = subject.subscriber
            #expect(subscriber.violations.isEmpty)
            if !subject.isCancelled { #expect(subscriber.values == [1] && subscriber.hasFinished) }
            // A completion comes with the value; a value without one was cancelled in between.
            #expect(subscriber.values.count <= 1 && (subscriber.values == [1] || !subscriber.isOver))
            subscriber.forget()
        }
    }

    private final class ResultSubject: Sendable {
        private static let made = Count()

        let promise = CoPromise<Int>()
        let subscriber = HandSubscriber<Int, any Error>()
        let isCancelled: Bool

        init() {
            self.isCancelled = Self.made.add().isMultiple(of: 2)
            self.promise.publisher().subscribe(self.subscriber)
        }
    }

    @Test
    func `a future of a publisher that sends, ends and is cancelled at once is settled once`() async {
        await Self.rounds(
            StressScale.rounds(100_000),
            { FutureSubject() },
            [
                { $0.publisher.current?.sendSubscription() },
                { subject in
                    subject.publisher.send(1)
                    subject.publisher.send(completion: .finished)
                },
                { $0.future.cancel() },
            ]
        ) { subject in
            #expect(subject.calls.value == 1)
            // Cancelled, or completed before that; in between the two the publisher may have released its subscriber.
            #expect(subject.publisher.current?.cancels ?? 0 <= 1)
            if subject.future.isCancelled { #expect(subject.publisher.current?.requested ?? .none <= .max(1)) }
        }
    }

    private final class FutureSubject: Sendable {
        let publisher = HandPublisher<Int, any Error>(isLate: true)
        let future: CoFuture<Int>
        let calls = Count()

        init() {
            self.future = self.publisher.subscribeCoFuture()
            self.future.whenComplete { [calls] _ in calls.add() }
        }
    }

    @Test
    func `elements(buffering:): what is sent is consumed or handed back, with a consumer that is cancelled`() async {
        for round in 0..<StressScale.rounds(15_000) {
            let subject = ElementsSubject()
            let elements = subject.publisher.elements(
                buffering: .bounded(capacity: 1 + round % 4),
                subscribing: round.isMultiple(of: 2) ? .immediately : .atFirstNext,
                onUndelivered: { _ in subject.undelivered.add() }
            )
            let consumer = Task {
                var count = 0
                for await _ in elements {
                    count += 1
                    if count == 1 + round % 7 { break }
                }
                return count
            }
            let canceller = Task { if round.isMultiple(of: 3) { consumer.cancel() } }
            let consumed = await consumer.value
            await canceller.value
            #expect(subject.publisher.cancels.value <= 1)
            #expect(!subject.publisher.hasOverlapped.value)
            #expect(consumed <= 1 + round % 7)
            let requested = subject.publisher.requests.all.reduce(0) { $0 + ($1.max ?? 0) }
            #expect(requested <= consumed + 1 + round % 4)
            #expect(consumed + subject.undelivered.value <= requested)
        }
    }

    private final class ElementsSubject: Sendable {
        let publisher = Counting(from: 1)
        let undelivered = Count()
    }

    @Test
    func `no task is cancelled if nobody cancels`() async {
        let cancelled = Count()
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<StressScale.rounds(20_000) {
                        for await isCancelled in Self.tasksThatSend() where isCancelled { cancelled.add() }
                    }
                }
            }
        }
        #expect(cancelled.value == 0)
    }

    /// Whether the tasks that send a result, and the end of a sequence, are cancelled then.
    private static func tasksThatSend() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream<Bool>.makeStream()
        let end = Count()
        let finish = { @Sendable (isCancelled: Bool) in
            continuation.yield(isCancelled)
            if end.add() == 2 { continuation.finish() }
        }
        let values = TaskPublisher { 1 }.map { _ in Task.isCancelled }.sink { finish($0) }
        let ends = AsyncStream<Int> { $0.finish() }.publisher().sink(
            receiveCompletion: { _ in finish(Task.isCancelled) },
            receiveValue: { _ in }
        )
        continuation.onTermination = { [values = Kept(values), ends = Kept(ends)] _ in _ = (values, ends) }
        return stream
    }

    /// Safe: it is only kept.
    private struct Kept: @unchecked Sendable {
        let subscription: AnyCancellable

        init(_ subscription: AnyCancellable) { self.subscription = subscription }
    }

    @Test
    func `publisher() of a sequence: requests and a cancellation from other threads`() async {
        for round in 0..<StressScale.rounds(15_000) {
            let subscriber = HandSubscriber<Int, Never>()
            SequencePublisherTests.OneByOne(count: 6).publisher().subscribe(subscriber)
            async let first: Void = Self.ask(subscriber, 3)
            async let second: Void = Self.ask(subscriber, 3)
            let isCancelled = round.isMultiple(of: 2)
            if isCancelled {
                subscriber.cancel()
            } else {
                subscriber.request(.max(1))
                await until { subscriber.isOver }
            }
            _ = await (first, second)
            #expect(subscriber.violations.isEmpty)
            let values = subscriber.values
            #expect(values == Array((0..<6).reversed().prefix(values.count)))
            if !isCancelled { #expect(values.count == 6 && subscriber.hasFinished) }
            subscriber.forget()
        }
    }

    private static func ask(_ subscriber: HandSubscriber<Int, Never>, _ count: Int) async {
        for _ in 0..<count { subscriber.request(.max(1)) }
    }
}
#endif
