// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeTesting
import OpenCombineShim
import Testing

@Suite("elements(buffering:): demand", .timeLimit(.minutes(10)))
struct ElementsDemandTests {
    private let publisher = HandPublisher<Int, Never>()

    private var requests: [Subscribers.Demand] { self.publisher.current?.requests ?? [] }

    /// What is asked for by each of ten calls of `next()`; zero stands for no request.
    @Test(arguments: [
        (1, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        (2, [2, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        (3, [3, 0, 2, 0, 2, 0, 2, 0, 2, 0]),
        (4, [4, 0, 2, 0, 2, 0, 2, 0, 2, 0]),
        (5, [5, 0, 0, 3, 0, 0, 3, 0, 0, 3]),
        (16, [16, 0, 0, 0, 0, 0, 0, 0, 8, 0]),
    ]
    )
    func `the whole buffer at first, then a half whenever so many were consumed`(_ buffer: Int, _ expected: [Int]) async
    {
        // Sends each element that it is asked for, in the request.
        let counted = Counting(from: 1)
        var iterator = counted.elements(buffering: .bounded(capacity: buffer)).makeAsyncIterator()
        #expect(counted.requests.all.isEmpty)
        var asked: [Int] = []
        for call in 1...10 {
            let before = counted.requests.all.count
            #expect(await iterator.next() == call)
            let new = counted.requests.all.dropFirst(before).map { $0.max ?? -1 }
            #expect(new.count <= 1)
            asked.append(new.first ?? 0)
        }
        #expect(asked == expected)
    }

    @Test
    func `without a limit, once`() async {
        let counted = Counting(from: 1, upTo: 100)
        var count = 0
        for await _ in counted.elements(buffering: .unbounded) { count += 1 }
        #expect(count == 100)
        #expect(counted.requests.all == [.unlimited])
    }

    @Test
    func `the largest limit is one`() async {
        let counted = Counting(from: 1, upTo: 100)
        var count = 0
        for await _ in counted.elements(buffering: .bounded(capacity: .max)) { count += 1 }
        #expect(count == 100)
        #expect(counted.requests.all == [.max(.max)])
    }

    @Test(arguments: [SubscriptionTime.atFirstNext, .immediately])
    func `at the first next(), or at once`(_ time: SubscriptionTime) async {
        let isAtOnce = if case .immediately = time { true } else { false }
        let elements = self.publisher.elements(buffering: .bounded(capacity: 3), subscribing: time)
        #expect(self.requests == (isAtOnce ? [.max(3)] : []))
        var iterator = elements.makeAsyncIterator()
        #expect(self.publisher.subscriptions.count == (isAtOnce ? 1 : 0))
        if isAtOnce {
            self.publisher.send(1)
            #expect(await iterator.next() == 1)
        } else {
            let executor = ManualExecutor()
            let task = Task(executorPreference: executor) { await Self.first(of: elements) }
            executor.run()
            #expect(self.requests == [.max(3)])
            self.publisher.send(1)
            executor.run()
            #expect(await task.value == 1)
        }
    }

    private nonisolated(nonsending) static func first(
        of elements: PublisherSequence<HandPublisher<Int, Never>>
    ) async -> Int? {
        var iterator = elements.makeAsyncIterator()
        return await iterator.next()
    }

    @Test
    func `what is asked for before the subscription has come is asked for when it comes`() {
        let late = HandPublisher<Int, Never>(isLate: true)
        let elements = late.elements(buffering: .bounded(capacity: 3), subscribing: .immediately)
        #expect(late.current?.requests == [])
        late.current?.sendSubscription()
        #expect(late.current?.requests == [.max(3)])
        withExtendedLifetime(elements) {}
    }

    @Test
    func `nothing is lost between two calls of next()`() async {
        var iterator = self.publisher.elements(buffering: .bounded(capacity: 4), subscribing: .immediately)
            .makeAsyncIterator()
        for first in stride(from: 1, to: 100, by: 2) {
            self.publisher.send(first)
            self.publisher.send(first + 1)
            #expect(await iterator.next() == first)
            #expect(await iterator.next() == first + 1)
        }
        #expect(iterator.unrequestedCount == 0)
        self.publisher.send(101)
        self.publisher.send(completion: .finished)
        #expect(await iterator.next() == 101)
        #expect(await iterator.next() == nil)
    }

    @Test
    func `a consumer that is refused asks for nothing`() async {
        let elements = self.publisher.elements(buffering: .bounded(capacity: 1), subscribing: .immediately)
        var first = elements.makeAsyncIterator()
        var second = elements.makeAsyncIterator()
        for _ in 0..<3 { #expect(await second.next() == nil) }
        #expect(self.requests == [.max(1)])
        self.publisher.send(1)
        #expect(await first.next() == 1)
        #expect(self.requests == [.max(1)])
    }

    // MARK: Over-delivery

    @Test
    func `elements that were not asked for are kept, counted, and reported once`() async {
        CollectedReports.begin()
        let line: UInt = #line
        var iterator = self.publisher
            .elements(buffering: .bounded(capacity: 2), subscribing: .immediately, fileID: #fileID, line: line)
            .makeAsyncIterator()
        for value in 1...5 { self.publisher.send(value) }
        #expect(iterator.unrequestedCount == 3)
        for value in 1...5 { #expect(await iterator.next() == value) }
        #expect(iterator.unrequestedCount == 3)
        let reports = CollectedReports.all(about: CallSite(fileID: #fileID, line: line))
        #expect(reports.map(\.kind) == [.unrequestedElements])
        #expect(reports.first?.bridge == "elements(buffering:)")
        #expect(self.publisher.current?.cancels == 0)
    }

    @Test(arguments: [1, 2, 3, 8])
    func `a publisher that sends what it was asked for is not reported`(_ buffer: Int) async {
        CollectedReports.begin()
        let line: UInt = #line
        let counted = Counting(from: 1, upTo: 50)
        var iterator = counted.elements(buffering: .bounded(capacity: buffer), fileID: #fileID, line: line)
            .makeAsyncIterator()
        var values: [Int] = []
        while let value = await iterator.next() { values.append(value) }
        #expect(values == Array(1...50))
        #expect(iterator.unrequestedCount == 0)
        #expect(CollectedReports.all(about: CallSite(fileID: #fileID, line: line)).isEmpty)
    }

    @Test
    func `without a limit nothing is unrequested`() async {
        var iterator = self.publisher.elements(buffering: .unbounded, subscribing: .immediately).makeAsyncIterator()
        for value in 1...50 { self.publisher.send(value) }
        #expect(await iterator.next() == 1)
        #expect(iterator.unrequestedCount == 0)
    }
}
#endif
