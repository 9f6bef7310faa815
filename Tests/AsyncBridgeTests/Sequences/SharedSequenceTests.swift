// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("share()", .timeLimit(.minutes(10)))
struct SharedSequenceTests {
    private typealias Shared = SharedSequence<Fountain>

    /// A consumer of a shared sequence that has joined, and waits for its first element.
    private final class Consumer: Sendable {
        let received = Log<Int>()
        let wait: HandDriven<Void>

        init<Base>(_ shared: SharedSequence<Base>, taking limit: Int = .max) where Base.Element == Int {
            let received = self.received
            self.wait = HandDriven {
                try await iterate(shared.makeAsyncIterator(), taking: limit) { received($0) }
            }
            self.wait.turn()
        }

        /// Runs until so many elements have come.
        func receives(_ count: Int) async {
            await until {
                self.wait.turn()
                return self.received.count >= count
            }
        }

        func ends() async {
            await until {
                self.wait.turn()
                return self.wait.hasEnded
            }
        }
    }

    private let place = Place()
    private let fountain = Fountain()

    init() { BridgeDiagnostics.tracksPendingWaits = true }

    private func share(_ buffering: BufferingPolicy = .unbounded) -> Shared {
        self.fountain.share(buffering: buffering, fileID: Place.fileID, line: self.place.line)
    }

    private func sourceStarts(_ count: Int = 1) async { await until { self.fountain.starts.count == count } }

    @Test func `nothing starts before the first consumer`() async {
        let shared = self.share()
        #expect(self.fountain.starts.count == 0)
        let consumer = Consumer(shared)
        await self.sourceStarts()
        consumer.wait.cancel()
        await consumer.ends()
    }

    @Test func `each consumer gets every element of one source`() async throws {
        let shared = self.share()
        let consumers = (0..<3).map { _ in Consumer(shared) }
        await self.sourceStarts()
        for element in 1...50 { self.fountain.sink?.yield(element) }
        self.fountain.sink?.finish()
        for consumer in consumers {
            await consumer.ends()
            try consumer.wait.get()
            #expect(consumer.received.all == Array(1...50))
        }
        #expect(self.fountain.starts.count == 1)
        #expect(self.fountain.ends.all == [.finished])
        #expect(self.place.reports.isEmpty)
    }

    @Test func `a late consumer gets what comes from then on`() async throws {
        let shared = self.share()
        let first = Consumer(shared)
        await self.sourceStarts()
        self.fountain.sink?.yield(1)
        await first.receives(1)
        let late = Consumer(shared)
        self.fountain.sink?.yield(2)
        self.fountain.sink?.finish()
        await first.ends()
        await late.ends()
        #expect(first.received.all == [1, 2])
        #expect(late.received.all == [2])
    }

    @Test func `a cancelled consumer leaves the others`() async throws {
        let shared = self.share()
        let (first, second) = (Consumer(shared), Consumer(shared))
        await self.sourceStarts()
        first.wait.cancel()
        await first.ends()
        #expect(throws: CancellationError.self) { try first.wait.get() }
        #expect(self.fountain.ends.all.isEmpty)
        self.fountain.sink?.yield(1)
        self.fountain.sink?.finish()
        await second.ends()
        try second.wait.get()
        #expect(second.received.all == [1])
    }

    /// What it costs is counted, in entries of the table of consumers, and not timed.
    @Test func `thousands come and leave while elements are delivered`() async {
        let shared = self.share()
        let (count, elements) = (8_000, 8)
        var iterators: [Shared.AsyncIterator?] = (0..<count).map { _ in shared.makeAsyncIterator() }
        await self.sourceStarts()
        var random = SplitMix(seed: 11)
        // The first stays, since the count goes with the run.
        for (index, consumer) in (1..<count).shuffled(using: &random).enumerated() {
            if index.isMultiple(of: count / elements) { self.fountain.sink?.yield(index) }
            iterators[consumer] = nil
        }
        // One for each that comes and each that leaves; the growing table; a copy for each delivery.
        // The optimiser would release the first iterator early: nothing uses it.
        let steps = withExtendedLifetime(iterators) { shared.steps }
        #expect(steps >= 2 * count - 1 && steps <= (5 + 2 * elements) * count)
        self.fountain.sink?.finish()
        iterators = []
    }

    @Test func `the last to leave stops the source and the next to come starts it anew`() async throws {
        let shared = self.share()
        let (first, second) = (Consumer(shared, taking: 1), Consumer(shared, taking: 2))
        await self.sourceStarts()
        self.fountain.sink?.yield(1)
        await first.ends()
        #expect(self.fountain.ends.all.isEmpty)
        self.fountain.sink?.yield(2)
        await second.ends()
        await until { self.fountain.ends.all == [.cancelled] }
        let third = Consumer(shared)
        await self.sourceStarts(2)
        self.fountain.sink?.yield(3)
        self.fountain.sink?.finish()
        await third.ends()
        #expect(third.received.all == [3])
        #expect(self.fountain.ends.all == [.cancelled, .finished])
    }

    @Test func `the source's failure reaches every consumer now and later`() async {
        let shared = self.share()
        let consumers = (0..<2).map { _ in Consumer(shared) }
        await self.sourceStarts()
        self.fountain.sink?.yield(1)
        self.fountain.sink?.fail(APIError(code: 6))
        for consumer in consumers {
            await consumer.ends()
            #expect(throws: APIError(code: 6)) { try consumer.wait.get() }
            #expect(consumer.received.all == [1])
        }
        let late = Consumer(shared)
        await late.ends()
        #expect(throws: APIError(code: 6)) { try late.wait.get() }
        #expect(self.fountain.starts.count == 1)
    }

    @Test(arguments: 0..<20)
    func `a source that ends at once ends every consumer`(_ round: Int) async throws {
        let base = AsyncStream<Int> { $0.finish() }
        let shared = base.share(fileID: Place.fileID, line: self.place.line)
        let consumers = (0..<3).map { _ in Consumer(shared) }
        for consumer in consumers {
            await consumer.ends()
            try consumer.wait.get()
            #expect(consumer.received.all.isEmpty)
        }
        #expect(self.place.reports.isEmpty)
    }

    @Test func `under a watermark the slowest slows the source`() async throws {
        let shared = self.share(.watermark(low: 0, high: 2))
        let quick = Consumer(shared)
        let slow = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        slow.put(Unchecked(value: shared.makeAsyncIterator()))
        await self.sourceStarts()
        for element in 1...20 { self.fountain.sink?.yield(element) }
        self.fountain.sink?.finish()
        // The pump has filled the slow one's buffer, and waits for it. The quick one is at most one element ahead.
        await until {
            quick.wait.turn()
            return self.place.waits(of: "CallbackSequence.Sink.send") == 1 && quick.received.count >= 2
        }
        for _ in 0..<1_000 { await Task.yield() }
        quick.wait.turn()
        #expect(quick.received.count <= 3)
        let received = Log<Int>()
        let slowOne = HandDriven {
            guard let made = slow.take() else { return }
            try await iterate(made.value, taking: .max) { received($0) }
        }
        await until {
            slowOne.turn()
            quick.wait.turn()
            return slowOne.hasEnded && quick.wait.hasEnded
        }
        #expect(received.all == Array(1...20))
        #expect(quick.received.all == Array(1...20))
    }

    @Test func `a slow consumer that leaves lets the source go on`() async throws {
        let shared = self.share(.watermark(low: 0, high: 1))
        let quick = Consumer(shared)
        let slow = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        slow.put(Unchecked(value: shared.makeAsyncIterator()))
        await self.sourceStarts()
        for element in 1...5 { self.fountain.sink?.yield(element) }
        self.fountain.sink?.finish()
        await until {
            quick.wait.turn()
            return self.place.waits(of: "CallbackSequence.Sink.send") == 1 && quick.received.count >= 1
        }
        slow.take()
        await quick.ends()
        #expect(quick.received.all == [1, 2, 3, 4, 5])
    }

    @Test func `under fail only the slow consumer fails`() async throws {
        let shared = self.share(.failing(capacity: 1))
        let quick = Consumer(shared)
        let slow = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        slow.put(Unchecked(value: shared.makeAsyncIterator()))
        await self.sourceStarts()
        for element in 1...3 {
            self.fountain.sink?.yield(element)
            await quick.receives(element)
        }
        self.fountain.sink?.finish()
        await quick.ends()
        try quick.wait.get()
        #expect(quick.received.all == [1, 2, 3])
        let received = Log<Int>()
        let slowOne = HandDriven {
            guard let made = slow.take() else { return }
            try await iterate(made.value, taking: .max) { received($0) }
        }
        slowOne.turn()
        #expect(throws: BridgeFault(.bufferOverflow, made: self.place.site)) { try slowOne.get() }
        #expect(received.all == [1])
    }

    @Test func `an iterator that is never used counts until it goes`() async {
        let shared = self.share()
        let unused = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        unused.put(Unchecked(value: shared.makeAsyncIterator()))
        await self.sourceStarts()
        #expect(self.fountain.ends.all.isEmpty)
        unused.take()
        await until { self.fountain.ends.all == [.cancelled] }
        #expect(self.place.reports.isEmpty)
    }

    /// Numbers without an end, and without an ear for cancellation.
    private struct Deaf: AsyncSequence, AsyncIteratorProtocol, Sendable {
        typealias Failure = Never
        let lifetime: Lifetimes.Probe

        func makeAsyncIterator() -> Deaf { self }

        mutating func next() async -> Int? {
            await Task.yield()
            return 1
        }
    }

    @Test func `a source that is deaf to cancellation is left all the same`() async {
        let lifetimes = Lifetimes()
        let consumer = self.consumerOfOne(Deaf(lifetime: lifetimes.probe()))
        await consumer.ends()
        // As long as the pump iterates, it holds the source.
        await until { lifetimes.alive == 0 }
    }

    private func consumerOfOne(_ source: Deaf) -> Consumer {
        Consumer(source.share(fileID: Place.fileID, line: self.place.line), taking: 1)
    }
}
