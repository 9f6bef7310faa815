// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Testing

/// A wait has got a value, and then its scheduler drops the coroutine: the value goes to where it can, or is reported.
@Suite("A result for a coroutine that its scheduler drops", .timeLimit(.minutes(10)))
struct UndeliveredResultTests {
    private let scheduler = ManualScheduler()
    private let place = MisusePlace()
    private let log = EventLog()
    private let undelivered = Collected<Int>()

    /// Runs code up to its first wait, and drops it when that is over.
    ///
    /// - Parameters:
    ///   - meanwhile: Ends the wait, if nothing else does.
    ///   - task: The code.
    /// - Throws: What `meanwhile` throws.
    private func drop(
        meanwhile: () async throws -> Void = {},
        _ task: @escaping @Sendable () throws -> Void
    ) async throws {
        let log = self.log
        let coroutine = self.scheduler.startCoroutine(onError: { log.record("failed: \($0)") }) {
            do { try task() } catch {
                log.record("\(type(of: error))")
                throw error
            }
            log.record("received")
        }
        self.scheduler.runOne()
        try await meanwhile()
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.dropOne()
        await coroutine.ended()
        #expect(log.events == ["CancellationError"])
    }

    private func expectReported(_ type: Any.Type) {
        #expect(self.place.reports.map(\.kind) == [.resultUndelivered])
        #expect(self.place.reports.allSatisfy { $0.advice.contains("A value of type \(type)") })
    }

    private func channel(of elements: Int...) -> CoChannel<Int> {
        let undelivered = self.undelivered
        let channel = CoChannel<Int>(buffering: .unbounded, onUndelivered: { undelivered.append($0) })
        for element in elements { #expect(channel.offer(element)) }
        return channel
    }

    /// Iterates as over any asynchronous sequence, whatever its type.
    private static func iterate<Elements: AsyncSequence>(_ elements: Elements, _ place: MisusePlace) throws {
        try Coroutine.forEach(elements, fileID: place.fileID, line: place.line) { _ in }
    }

    // MARK: Elements go back

    @Test func `an element of a channel goes to its onUndelivered`() async throws {
        let (channel, place) = (self.channel(of: 1), self.place)
        try await self.drop { try Self.iterate(channel, place) }
        #expect(self.undelivered.all == [1])
        #expect(self.place.reports.isEmpty)
    }

    @Test func `so does one for which it waited`() async throws {
        let (channel, place) = (self.channel(), self.place)
        try await self.drop(meanwhile: { try await channel.send(1) }) { try Self.iterate(channel, place) }
        #expect(self.undelivered.all == [1])
        #expect(self.place.reports.isEmpty)
    }

    @Test func `so does one of a receiver`() async throws {
        let (channel, place) = (self.channel(of: 1), self.place)
        let receiver = channel.receiver
        try await self.drop { try Self.iterate(receiver, place) }
        #expect(self.undelivered.all == [1])
        #expect(self.place.reports.isEmpty)
    }

    @Test func `in forEach over a channel, a receiver and a mapped receiver`() async throws {
        for loop in 0..<3 {
            let test = UndeliveredResultTests()
            let channel = test.channel()
            // Each of them waits when the element comes.
            try await test.drop(meanwhile: { try await channel.send(1) }) {
                switch loop {
                case 0: try Coroutine.forEach(channel) { _ in }
                case 1: try Coroutine.forEach(channel.receiver) { _ in }
                default: try Coroutine.forEach(channel.map { $0 + 1 }) { _ in }
                }
                try Coroutine.checkCancellation()
            }
            #expect(test.undelivered.all == [1])
        }
    }

    @Test func `so does one of a CallbackSequence`() async throws {
        let (undelivered, place) = (self.undelivered, self.place)
        let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence(onUndelivered: { undelivered.append($0) })
        sink.onTermination { _ in }
        sink.yield(1)
        try await self.drop { try Self.iterate(sequence, place) }
        sink.finish()
        #expect(self.undelivered.all == [1])
        #expect(self.place.reports.isEmpty)
    }

    /// The loop cannot throw: it ends, without its body.
    @Test(arguments: [false, true])
    func `so does one for a plain loop over Coroutine.sequence`(waits: Bool) async throws {
        let (undelivered, place) = (self.undelivered, self.place)
        let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence(onUndelivered: { undelivered.append($0) })
        sink.onTermination { _ in }
        if !waits { sink.yield(1) }
        try await self.drop(meanwhile: { if waits { sink.yield(1) } }) {
            for _ in Coroutine.sequence(sequence, fileID: place.fileID, line: place.line) { undelivered.append(0) }
            undelivered.append(-1)
            try Coroutine.checkCancellation()
        }
        sink.finish()
        #expect(undelivered.all == [1, -1])
        #expect(self.place.reports.isEmpty)
    }

    @Test func `a result goes to the wait's own onUndelivered`() async throws {
        let (channel, undelivered, place) = (self.channel(of: 1), self.undelivered, self.place)
        try await self.drop {
            _ = try Coroutine.await(
                onUndelivered: { undelivered.append($0 + 10) },
                fileID: place.fileID,
                line: place.line
            ) { try await channel.receive() }
        }
        #expect(self.undelivered.all == [11])
        #expect(self.place.reports.isEmpty)
    }

    /// `CoSemaphore.acquire()` names this form: an operation without a value does not say what it has got.
    @Test(arguments: [1, 0])
    func `so does a permit, which has no value`(permits: Int) async throws {
        let semaphore = CoSemaphore(permits: permits)
        try await self.drop(meanwhile: { if permits == 0 { semaphore.release() } }) {
            try Coroutine.await(onUndelivered: { semaphore.release() }) { try await semaphore.acquire() }
        }
        #expect(semaphore.availablePermits == 1)
    }

    @Test func `a result that is taken does not`() async throws {
        let undelivered = self.undelivered
        let value = try await withCoroutine { try Coroutine.await(onUndelivered: { undelivered.append($0) }) { 1 } }
        #expect(value == 1)
        #expect(undelivered.all.isEmpty)
    }

    // MARK: Without such a place, they are reported

    @Test func `a mapped element is reported`() async throws {
        let (receiver, place) = (self.channel(of: 1).receiver.map { "\($0)" }, self.place)
        try await self.drop { try Self.iterate(receiver, place) }
        self.expectReported(String.self)
    }

    @Test func `an element of a stream is reported`() async throws {
        let place = self.place
        try await self.drop { try Self.iterate(AsyncStream<Int> { $0.yield(1) }, place) }
        self.expectReported(Int.self)
    }

    @Test func `the result of an operation is reported`() async throws {
        let (channel, place) = (self.channel(of: 1), self.place)
        try await self.drop {
            _ = try Coroutine.await(fileID: place.fileID, line: place.line) { try await channel.receive() }
        }
        self.expectReported(Int.self)
    }

    @Test func `that of blockingAwait is reported`() async throws {
        let place = self.place
        try await self.drop { _ = try blockingAwait(fileID: place.fileID, line: place.line) { 1 } }
        self.expectReported(Int.self)
    }

    @Test func `that of a callback is reported`() async throws {
        let (place, callbacks) = (self.place, Collected<Callback<Int, any Error>>())
        try await self.drop(meanwhile: { callbacks.all.first?.resume(returning: 1) }) {
            _ = try Coroutine.await(of: Int.self, fileID: place.fileID, line: place.line) { callbacks.append($0) }
        }
        self.expectReported(Int.self)
    }

    @Test func `that of a closure on another scheduler is reported`() async throws {
        let (place, other) = (self.place, ManualScheduler())
        try await self.drop(meanwhile: { other.run() }) {
            _ = try other.await(fileID: place.fileID, line: place.line) { 1 }
        }
        self.expectReported(Int.self)
    }

    @Test func `no value, no report`() async throws {
        let place = self.place
        try await self.drop { try Coroutine.await(fileID: place.fileID, line: place.line) { await Task.yield() } }
        #expect(self.place.reports.isEmpty)
    }
}
