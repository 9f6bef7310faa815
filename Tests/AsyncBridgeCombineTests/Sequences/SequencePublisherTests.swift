// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("publisher() of a sequence", .timeLimit(.minutes(10)))
struct SequencePublisherTests {
    private typealias Subscriber = HandSubscriber<Int, any Error>

    private let executor = ManualExecutor()
    private let sequence = HandSequence()

    private func fill(_ count: Int) {
        for value in 0..<count { self.sequence.take(.value(value + 1)) }
    }

    // MARK: Demand

    @Test
    func `three asked for, three received, and the sequence has been asked for three`() {
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        self.fill(10)
        self.sequence.publisher(executor: self.executor).subscribe(subscriber)
        self.executor.run()
        #expect(self.sequence.iterations == 0)
        subscriber.request(.max(3))
        self.executor.run()
        #expect(subscriber.values == [1, 2, 3])
        #expect(self.sequence.asked == 3 && self.sequence.iterations == 1)
        subscriber.request(.max(1))
        subscriber.request(.max(1))
        self.executor.run()
        #expect(subscriber.values == [1, 2, 3, 4, 5])
        #expect(self.sequence.asked == 5)
        #expect(subscriber.violations.isEmpty)
    }

    @Test
    func `the end comes to a subscriber that asks for more than there is`() {
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        self.fill(2)
        self.sequence.take(.finish)
        self.sequence.publisher(executor: self.executor).subscribe(subscriber)
        subscriber.request(.max(2))
        self.executor.run()
        #expect(subscriber.values == [1, 2] && !subscriber.isOver)
        subscriber.request(.max(1))
        self.executor.run()
        #expect(subscriber.hasFinished)
        // Nothing comes of what is asked for after that.
        subscriber.request(.unlimited)
        subscriber.cancel()
        self.executor.run()
        #expect(self.sequence.asked == 3 && subscriber.violations.isEmpty)
    }

    @Test
    func `no demand is no request`() {
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        self.fill(1)
        self.sequence.publisher(executor: self.executor).subscribe(subscriber)
        subscriber.request(.none)
        self.executor.run()
        #expect(self.sequence.iterations == 0 && subscriber.values.isEmpty)
    }

    @Test(arguments: [0, 1, 2], [0, 1, 2])
    func `demand is added: returned, asked for inside, and both`(_ returned: Int, _ asked: Int) {
        let limit = 100
        self.fill(limit)
        let subscriber = Subscriber(onValue: { subscriber, value in
            // For the first ten only.
            guard value <= 10 else { return .none }
            if asked > 0 { subscriber.request(.max(asked)) }
            return .max(returned)
        })
        defer { subscriber.end(self.executor) }
        self.sequence.publisher(executor: self.executor).subscribe(subscriber)
        subscriber.request(.max(1))
        self.executor.run()
        let expected = returned + asked == 0 ? 1 : 1 + 10 * (returned + asked)
        #expect(subscriber.values == Array(1...expected))
        #expect(self.sequence.asked == expected)
        #expect(subscriber.violations.isEmpty)
    }

    @Test
    func `a request inside each element does not recurse`() async {
        let count = ChainDepth.standard
        let received = Count()
        let isOver = Flag()
        let subscriber = Asking(received, isOver)
        OneByOne(count: count).publisher().subscribe(subscriber)
        // On a thread of Swift's pool, whose stack is small.
        await until { isOver.value }
        #expect(received.value == count)
    }

    /// Asks for one element at a time, inside the last one.
    private final class Asking: OpenCombineShim.Subscriber, @unchecked Sendable {
        private let received: Count
        private let isOver: Flag
        // Safe: set before the first request, and read after it.
        private var subscription: (any Subscription)?

        init(_ received: Count, _ isOver: Flag) {
            self.received = received
            self.isOver = isOver
        }

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            subscription.request(.max(1))
        }

        func receive(_ input: Int) -> Subscribers.Demand {
            self.received.add()
            self.subscription?.request(.max(1))
            return .none
        }

        func receive(completion: Subscribers.Completion<Never>) { self.isOver.set() }
    }

    struct OneByOne: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var count: Int

        func makeAsyncIterator() -> OneByOne { self }

        mutating func next() async -> Int? {
            if self.count == 0 { return nil }
            self.count -= 1
            return self.count
        }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Int? { await self.next() }
    }

    // MARK: Signals

    @Test
    func `the subscription comes first: no element comes before it was received`() async {
        for _ in 0..<StressScale.rounds(200) {
            let subscriber = HandSubscriber<Int, Never>(onSubscription: { subscriber in
                subscriber.request(.unlimited)
                // Time for a wrong pump to send.
                for _ in 0..<200 { _ = subscriber.values.count }
            })
            defer { subscriber.end(self.executor) }
            OneByOne(count: 3).publisher().subscribe(subscriber)
            await until { subscriber.isOver }
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test
    func `demand asked for while the subscription is received starts the sequence after that`() {
        let (executor, sequence) = (self.executor, self.sequence)
        self.fill(1)
        let early = Collected<Int>()
        let subscriber = Subscriber(onSubscription: { subscriber in
            subscriber.request(.max(1))
            executor.run()
            early.append(sequence.iterations)
        })
        defer { subscriber.end(self.executor) }
        sequence.publisher(executor: executor).subscribe(subscriber)
        executor.run()
        #expect(early.all == [0])
        #expect(subscriber.values == [1])
        #expect(subscriber.violations.isEmpty)
    }

    @Test
    func `a failure has its type, and comes once`() async throws {
        let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        let subscriber = Subscriber()
        defer { subscriber.end(self.executor) }
        stream.toPublisher().subscribe(subscriber)
        subscriber.request(.unlimited)
        continuation.yield(1)
        continuation.finish(throwing: Failure(5))
        await until { subscriber.isOver }
        #expect(subscriber.values == [1])
        #expect(subscriber.failure as? Failure == Failure(5))

        let typed = HandSubscriber<Int, Failure>()
        CallbackSequence<Int, Failure> { sink in
            sink.yield(1)
            sink.fail(Failure(6))
            return {}
        }.publisher().subscribe(typed)
        typed.request(.unlimited)
        await until { typed.isOver }
        #expect(typed.values == [1] && typed.failure == Failure(6))
        #expect(subscriber.violations.isEmpty && typed.violations.isEmpty)
    }

    @Test
    func `each subscriber has an iteration of its own, made when it first asks`() async {
        let sequence = OneByOne(count: 3)
        let subscribers = (0..<3).map { _ in HandSubscriber<Int, Never>() }
        let publisher = sequence.publisher()
        for subscriber in subscribers { publisher.subscribe(subscriber) }
        for subscriber in subscribers { subscriber.request(.unlimited) }
        for subscriber in subscribers {
            await until { subscriber.isOver }
            #expect(subscriber.values == [2, 1, 0])
            #expect(subscriber.violations.isEmpty)
        }
    }

    @Test
    func `a stream that does not throw`() async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        for value in 1...3 { continuation.yield(value) }
        continuation.finish()
        let subscriber = HandSubscriber<Int, Never>()
        defer { subscriber.end(self.executor) }
        stream.toPublisher().subscribe(subscriber)
        subscriber.request(.max(3))
        await until { subscriber.values.count == 3 }
        #expect(!subscriber.isOver)
        subscriber.request(.max(1))
        await until { subscriber.hasFinished }
        #expect(subscriber.values == [1, 2, 3] && subscriber.violations.isEmpty)
    }
}
#endif
