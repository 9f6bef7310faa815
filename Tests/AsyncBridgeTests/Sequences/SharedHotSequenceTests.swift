// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// A hot sequence that is shared goes on while nobody listens.
@Suite("share() of a hot sequence", .timeLimit(.minutes(10)))
struct SharedHotSequenceTests {
    private typealias Numbers = CallbackSequence<Int, any Error>

    /// Takes so many elements and leaves.
    private static func take<Base>(_ count: Int, of shared: SharedSequence<Base>) async throws -> [Int]
    where Base.Element == Int {
        let received = Log<Int>()
        try await iterate(shared.makeAsyncIterator(), taking: count) { received($0) }
        return received.all
    }

    /// A hot sequence whose source is paused by back-pressure as soon as there is anything in its buffer.
    private let trial = SequenceTrial(.watermark(low: 0, high: 1))

    private func share(whenUnused policy: UnusedSourcePolicy? = nil) throws -> SharedSequence<Numbers> {
        try #require(self.trial.sequence.take()).share(
            whenUnused: policy,
            fileID: Place.fileID,
            line: self.trial.place.line
        )
    }

    @Test func `goes on when all have left, and loses nothing of what comes then`() async throws {
        let shared = try self.share()
        self.trial.yield(1)
        #expect(try await Self.take(1, of: shared) == [1])
        #expect(self.trial.terminations.all.isEmpty)
        for element in 2...4 { self.trial.yield(element) }
        // One element is with the task that iterates, and the others are in the buffer.
        await until { self.trial.sink.value?.bufferedCount == 2 }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(self.trial.sink.value?.bufferedCount == 2)
        self.trial.sink.value?.finish()
        #expect(try await Self.take(.max, of: shared) == [2, 3, 4])
        #expect(self.trial.terminations.all == [.finished])
        #expect(self.trial.place.reports.isEmpty)
        #expect(self.trial.undelivered.all.isEmpty)
    }

    @Test(arguments: 0..<20)
    func `goes on again and again`(_: Int) async throws {
        let shared = try self.share()
        for round in 1...20 {
            self.trial.yield(round)
            #expect(try await Self.take(1, of: shared) == [round])
        }
        #expect(self.trial.terminations.all.isEmpty)
    }

    @Test func `an end that comes while nobody listens is there for the next`() async throws {
        let shared = try self.share()
        self.trial.yield(1)
        #expect(try await Self.take(1, of: shared) == [1])
        self.trial.sink.value?.fail(APIError(code: 3))
        await #expect(throws: APIError(code: 3)) { try await Self.take(1, of: shared) }
        await #expect(throws: APIError(code: 3)) { try await Self.take(1, of: shared) }
    }

    /// Law 9: when nobody can listen any more, the source is stopped.
    @Test(arguments: [true, false])
    func `is stopped with the shared sequence`(withAnElement: Bool) async throws {
        var shared: SharedSequence<Numbers>? = try self.share()
        self.trial.yield(1)
        if let shared { #expect(try await Self.take(1, of: shared) == [1]) }
        if withAnElement {
            self.trial.yield(2)
            await until { self.trial.sink.value?.bufferedCount == 0 }
        }
        #expect(self.trial.terminations.all.isEmpty)
        shared = nil
        await until { self.trial.terminations.all == [.cancelled] }
        #expect(self.trial.yield(3) == .terminated)
    }

    @Test func `is stopped with the last consumer, when the shared sequence has gone`() async throws {
        let iterator = Slot<Unchecked<Numbers.AsyncIterator>>()
        do {
            let shared = try self.share()
            iterator.put(Unchecked(value: shared.makeAsyncIterator()))
        }
        self.trial.yield(1)
        await until { self.trial.sink.value?.bufferedCount == 0 }
        #expect(self.trial.terminations.all.isEmpty)
        iterator.take()
        await until { self.trial.terminations.all == [.cancelled] }
    }

    @Test func `is stopped when all have left, if told to, and the next hears why`() async throws {
        let shared = try self.share(whenUnused: .stop)
        self.trial.yield(1)
        #expect(try await Self.take(1, of: shared) == [1])
        await until { self.trial.terminations.all == [.cancelled] }
        await #expect(throws: self.trial.fault(.consumerLeft)) { try await Self.take(1, of: shared) }
    }

    /// What cannot be seen from outside, one can say: an `AsyncStream`, or a hot sequence behind a `map`.
    @Test func `an AsyncStream goes on, if told to`() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let ends = Log<Int>()
        continuation.onTermination = { _ in ends(1) }
        let shared = stream.share(whenUnused: .keep)
        for round in 1...5 {
            continuation.yield(round)
            #expect(try await Self.take(1, of: shared) == [round])
        }
        #expect(ends.count == 0)
    }
}

@Suite("share() of a hot sequence under stress", .serialized, .timeLimit(.minutes(60)))
struct SharedHotSequenceStressTests {
    /// Consumers come and go while the source yields: none gets an element twice, or out of order, and the last gets
    /// the end.
    @Test func `consumers that come and go`() async throws {
        let wrong = Log<String>()
        for round in 0..<max(1, Stress.iterations / 100) {
            let (sequence, sink) = CallbackSequence<Int, any Error>.makeSequence(buffering: .watermark(low: 0, high: 1))
            let shared = sequence.share()
            let source = Task {
                for number in 0..<50 { try await sink.send(number) }
                sink.finish()
            }
            var (last, isOver) = (-1, false)
            while !isOver {
                var iterator = shared.makeAsyncIterator()
                for _ in 0..<2 {
                    guard let number = try await iterator.next() else {
                        isOver = true
                        break
                    }
                    if number <= last { wrong("\(round): \(number) after \(last)") }
                    last = number
                }
            }
            try await source.value
        }
        #expect(wrong.all.isEmpty, "\(wrong.all.prefix(3))")
    }
}
