// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("elements(buffering:): several consumers", .timeLimit(.minutes(10)))
struct ElementsConsumerTests {
    private let publisher = HandPublisher<Int, any Error>()

    @Test
    func `each iteration of a sequence that subscribes at the first next() has its own subscription`() async throws {
        let numbers = Counting(from: 1, upTo: 3)
        let elements = numbers.elements(buffering: .bounded(capacity: 2))
        for _ in 0..<2 {
            var values: [Int] = []
            for await value in elements { values.append(value) }
            #expect(values == [1, 2, 3])
        }
        var (first, second) = (elements.makeAsyncIterator(), elements.makeAsyncIterator())
        for value in 1...3 {
            #expect(await first.next() == value)
            #expect(await second.next() == value)
        }
    }

    @Test
    func `a second consumer of one that has subscribed is refused, and the first goes on`() async throws {
        let (elements, made) = self.publisher.reportedElements()
        var (first, second) = (elements.makeAsyncIterator(), elements.makeAsyncIterator())
        self.publisher.send(1)
        await #expect(throws: BridgeFault(.secondConsumer, made: made)) { try await second.next() }
        #expect(try await second.next() == nil)
        #expect(try await first.next() == 1)
        #expect(CollectedReports.all(about: made).map(\.kind) == [.secondConsumer])
        #expect(self.publisher.current?.cancels == 0)
    }

    @Test
    func `a consumer after the first has left is told so`() async throws {
        let (elements, made) = self.publisher.reportedElements()
        self.publisher.send(1)
        for try await _ in elements { break }
        await #expect(throws: BridgeFault(.consumerLeft, made: made)) {
            for try await _ in elements {}
        }
        #expect(self.publisher.current?.cancels == 1)
        #expect(CollectedReports.all(about: made).map(\.kind) == [.consumerLeft])
    }

    @Test
    func `a consumer after the end ends at once`() async throws {
        let elements = self.publisher.elements(buffering: .bounded(capacity: 4), subscribing: .immediately)
        self.publisher.send(completion: .finished)
        for _ in 0..<2 {
            for try await _ in elements { Issue.record("an element after the end") }
        }
    }

    @Test
    func `with .max(1) it asks as values does: one for each next()`() async throws {
        let (ours, theirs) = (Counting(from: 1, upTo: 5), Counting(from: 1, upTo: 5))
        var ourIterator = ours.elements(buffering: .bounded(capacity: 1)).makeAsyncIterator()
        var theirIterator = theirs.values.makeAsyncIterator()
        for _ in 1...6 {
            #expect(await ourIterator.next() == theirIterator.next())
            let (our, their) = (ours.requests.all, theirs.requests.all)
            #expect(our == their)
        }
    }

    @Test
    func `the publisher is subscribed to, and asked for more, on the consumer's actor`() async {
        let desk = ManualActor()
        let onActor = Collected<Bool>()
        let publisher = HandPublisher<Int, any Error>(isLate: true)
        let elements = publisher.elements(buffering: .bounded(capacity: 1))
        let task = Task { await desk.take(2, of: elements) }
        await until { desk.executor.count > 0 }
        desk.executor.run()
        // Asked for when the subscription comes, here.
        publisher.current?.onRequest { [executor = desk.executor] _ in onActor.append(executor.isCurrent) }
        publisher.current?.sendSubscription()
        #expect(onActor.all == [false])
        publisher.send(1)
        await desk.run { onActor.all.count == 2 }
        #expect(onActor.all == [false, true])
        publisher.send(2)
        let isOver = Flag()
        let values = Task {
            defer { isOver.set() }
            return await task.value
        }
        await desk.run { isOver.value }
        #expect(await values.value == [1, 2])
    }
}

extension ManualActor {
    fileprivate func take<P: Publisher>(_ count: Int, of elements: PublisherSequence<P>) async -> [P.Output]
    where P.Output: Sendable {
        var values: [P.Output] = []
        var iterator = elements.makeAsyncIterator()
        while values.count < count, let value = try? await iterator.next() { values.append(value) }
        return values
    }
}
#endif
