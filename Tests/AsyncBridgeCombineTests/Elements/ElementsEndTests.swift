// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeTesting
import OpenCombineShim
import Testing

import AsyncBridgeCombine

@Suite("elements(buffering:): ends", .timeLimit(.minutes(10)))
struct ElementsEndTests {
    private typealias Elements = PublisherSequence<HandPublisher<Int, any Error>>

    static let buffers: [BufferingPolicy] = [
        .bounded(capacity: 1), .bounded(capacity: 2), .bounded(capacity: 16), .unbounded, .newest(capacity: 16),
    ]

    private let publisher = HandPublisher<Int, any Error>()
    private let undelivered = Collected<Int>()

    private var cancels: Int { self.publisher.current?.cancels ?? 0 }

    private func elements(_ buffer: BufferingPolicy, _ time: SubscriptionTime = .immediately) -> Elements {
        self.publisher.elements(buffering: buffer, subscribing: time) { [undelivered] in undelivered.append($0) }
    }

    // MARK: The consumer's

    @Test(arguments: buffers)
    func `leaving the loop cancels at once, and hands back the rest`(_ buffer: BufferingPolicy) async throws {
        let elements = self.elements(buffer)
        for value in 1...3 { self.publisher.send(value) }
        for try await value in elements {
            #expect(value == 1 && self.cancels == 0)
            break
        }
        #expect(self.cancels == 1)
        #expect(self.undelivered.all == [2, 3])
    }

    @Test(arguments: buffers)
    func `dropping the iterator cancels at once`(_ buffer: BufferingPolicy) async throws {
        let elements = self.elements(buffer)
        self.publisher.send(1)
        do {
            var iterator = elements.makeAsyncIterator()
            #expect(try await iterator.next() == 1)
            #expect(self.cancels == 0)
        }
        #expect(self.cancels == 1)
    }

    @Test
    func `an iterator that never asked has subscribed to nothing`() {
        _ = self.elements(.bounded(capacity: 1), .atFirstNext).makeAsyncIterator()
        #expect(self.publisher.subscriptions.isEmpty)
    }

    @Test(arguments: buffers)
    func `dropping a sequence that has subscribed cancels at once, iterated or not`(_ buffer: BufferingPolicy) {
        do {
            let elements = self.elements(buffer)
            self.publisher.send(1)
            withExtendedLifetime(elements) { #expect(self.cancels == 0) }
        }
        #expect(self.cancels == 1)
        #expect(self.undelivered.all == [1])
    }

    @Test
    func `dropping the sequence leaves its iterator alone`() async throws {
        var iterator = self.elements(.bounded(capacity: 1)).makeAsyncIterator()
        #expect(self.cancels == 0)
        self.publisher.send(1)
        #expect(try await iterator.next() == 1)
    }

    @Test(arguments: [SubscriptionTime.atFirstNext, .immediately]
    )
    func `cancelling the task cancels the subscription in the task's next step, which throws`(_ time: SubscriptionTime)
        async
    {
        let executor = ManualExecutor()
        let elements = self.elements(.bounded(capacity: 1), time)
        let task = Task(executorPreference: executor) { try await Self.consume(elements) }
        executor.run()
        #expect(self.publisher.current?.requests == [.max(1)])
        task.cancel()
        executor.run()
        #expect(self.cancels == 1)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @discardableResult
    private nonisolated(nonsending) static func consume(_ elements: Elements) async throws -> [Int] {
        var values: [Int] = []
        for try await value in elements { values.append(value) }
        return values
    }

    @Test
    func `in a cancelled task the publisher is not subscribed to`() async {
        let executor = ManualExecutor()
        let elements = self.elements(.bounded(capacity: 1), .atFirstNext)
        let task = Task(executorPreference: executor) { try await Self.consume(elements) }
        task.cancel()
        executor.run()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(self.publisher.subscriptions.isEmpty)
    }

    @Test
    func `a sequence that cannot express a cancellation ends`() async {
        let executor = ManualExecutor()
        let publisher = HandPublisher<Int, Never>()
        let elements = publisher.elements(buffering: .bounded(capacity: 1), subscribing: .immediately)
        let task = Task(executorPreference: executor) {
            var count = 0
            for await _ in elements { count += 1 }
            return count
        }
        publisher.send(1)
        executor.run()
        task.cancel()
        executor.run()
        #expect(await task.value == 1)
        #expect(publisher.current?.cancels == 1)
    }

    // MARK: Before the subscription

    @Test
    func `an end before the subscription cancels it when it comes, and asks it for nothing`() async {
        let late = HandPublisher<Int, any Error>(isLate: true)
        // The sequence is dropped, the iterator is dropped, the task is cancelled.
        _ = late.elements(buffering: .bounded(capacity: 2), subscribing: .immediately)
        do { _ = late.elements(buffering: .bounded(capacity: 2), subscribing: .immediately).makeAsyncIterator() }
        let executor = ManualExecutor()
        let elements = late.elements(buffering: .bounded(capacity: 2))
        let task = Task(executorPreference: executor) { try await Self.consume(elements) }
        executor.run()
        task.cancel()
        executor.run()
        #expect(late.subscriptions.count == 3)
        for subscription in late.subscriptions {
            #expect(subscription.requests.isEmpty && subscription.cancels == 0)
            subscription.sendSubscription()
            #expect(subscription.requests.isEmpty && subscription.cancels == 1)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test
    func `a second subscription is cancelled, and the first one goes on`() async throws {
        var iterator = self.elements(.bounded(capacity: 2)).makeAsyncIterator()
        let second = HandSubscription<Int, any Error>(try #require(self.publisher.current?.receiver))
        second.sendSubscription()
        #expect(second.cancels == 1 && second.requests.isEmpty)
        #expect(self.cancels == 0)
        self.publisher.send(1)
        #expect(try await iterator.next() == 1)
    }

    // MARK: The publisher's

    @Test(arguments: buffers)
    func `what came before the end is delivered before it`(_ buffer: BufferingPolicy) async throws {
        let elements = self.elements(buffer)
        for value in 1...3 { self.publisher.send(value) }
        self.publisher.send(completion: .finished)
        #expect(try await Self.consume(elements) == [1, 2, 3])
        #expect(self.cancels == 0)
        #expect(self.undelivered.all.isEmpty)
    }

    @Test(arguments: buffers)
    func `a failure comes after what came before it, once, and has its type`(_ buffer: BufferingPolicy) async {
        let publisher = HandPublisher<Int, Failure>()
        var iterator = publisher.elements(buffering: buffer, subscribing: .immediately).makeAsyncIterator()
        publisher.send(1)
        publisher.send(completion: .failure(Failure(7)))
        do throws(Failure) {
            #expect(try await iterator.next() == 1)
            _ = try await iterator.next()
            Issue.record("no failure")
        } catch {
            #expect(error.number == 7)
        }
        do throws(Failure) { #expect(try await iterator.next() == nil) } catch { Issue.record("it came twice") }
        #expect(publisher.current?.cancels == 0)
    }

    @Test
    func `what comes after the end is no element, and a second end counts for nothing`() async throws {
        let elements = self.elements(.bounded(capacity: 4))
        self.publisher.send(1)
        self.publisher.send(completion: .finished)
        self.publisher.send(2)
        self.publisher.send(completion: .failure(Failure()))
        #expect(try await Self.consume(elements) == [1])
        #expect(self.undelivered.all == [2])
    }

    @Test
    func `what comes after a cancellation is handed back`() throws {
        let receiver: Receiver<Int, any Error>
        do {
            let elements = self.elements(.bounded(capacity: 4))
            receiver = try #require(self.publisher.current?.receiver)
            withExtendedLifetime(elements) {}
        }
        self.publisher.current?.send(5, to: receiver)
        receiver.subscriber.receive(completion: .finished)
        #expect(self.undelivered.all == [5])
    }

    @Test
    func `a publisher that forgets its subscriber is a fault, which names the place`() async {
        let (elements, made) = self.publisher.reportedElements()
        var iterator = elements.makeAsyncIterator()
        self.publisher.forget()
        await #expect(throws: BridgeFault(.subscriberDropped, made: made)) { try await iterator.next() }
        #expect(CollectedReports.all(about: made).map(\.kind) == [.droppedSubscriber])
        #expect(CollectedReports.all(about: made).map(\.bridge) == ["elements(buffering:)"])
    }
}
#endif
