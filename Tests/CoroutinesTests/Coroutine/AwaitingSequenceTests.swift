// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// Asynchronous sequences in synchronous loops.
@Suite("Loops over asynchronous sequences", .timeLimit(.minutes(10)))
struct AwaitingSequenceTests {
    struct Failure: Error, Equatable {}

    /// Counts up, and suspends before each element; its iterator and its elements are not `Sendable`.
    struct Counter: AsyncSequence {
        final class Number { let value: Int; init(_ value: Int) { self.value = value } }

        let count: Int
        var tracker = LifetimeTracker()

        struct Iterator: AsyncIteratorProtocol {
            var next = 0
            let count: Int
            let token: LifetimeTracker.Token

            mutating func next() async -> Number? {
                await Task.yield()
                guard self.next < self.count else { return nil }
                defer { self.next += 1 }
                return Number(self.next)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(count: self.count, token: self.tracker.token()) }
    }

    static func numbers(_ values: Int...) -> AsyncStream<Int> {
        AsyncStream { continuation in
            for value in values { continuation.yield(value) }
            continuation.finish()
        }
    }

    static func failing(after values: Int...) -> AsyncThrowingStream<Int, any Error> {
        AsyncThrowingStream { continuation in
            for value in values { continuation.yield(value) }
            continuation.finish(throwing: Failure())
        }
    }

    // MARK: for

    @Test func `plain loop`() async throws {
        let values = try await withCoroutine {
            var values: [Int] = []
            for value in Coroutine.sequence(Self.numbers(1, 2, 3)) { values.append(value) }
            return values
        }
        #expect(values == [1, 2, 3])
    }

    @Test func `loop over what suspends and is not sendable`() async throws {
        let values = try await withCoroutine { Coroutine.sequence(Counter(count: 100)).map(\.value) }
        #expect(values == Array(0..<100))
    }

    @Test func `algorithms of sequence`() async throws {
        let result = try await withCoroutine {
            let even = Coroutine.sequence(Counter(count: 10)).lazy.map(\.value).filter { $0.isMultiple(of: 2) }
            let pairs = zip(Coroutine.sequence(Self.numbers(1, 2, 3)), Coroutine.sequence(Self.numbers(4, 5)))
            return (Array(even), pairs.map { $0 * $1 })
        }
        #expect(result == ([0, 2, 4, 6, 8], [4, 10]))
    }

    @Test func `leaving a loop releases the iterator`() async throws {
        let counter = Counter(count: 100)
        let seen = try await withCoroutine {
            var seen = 0
            for number in Coroutine.sequence(counter) {
                seen += 1
                if number.value == 4 { break }
            }
            return (seen, counter.tracker.made, counter.tracker.alive)
        }
        #expect(seen == (5, 1, 0))
    }

    @Test func `after the end the iterator stays at the end`() async throws {
        let values = try await withCoroutine {
            var iterator = Coroutine.sequence(Self.numbers(1)).makeIterator()
            return [iterator.next(), iterator.next(), iterator.next()]
        }
        #expect(values == [1, nil, nil])
    }

    @Test func `cancellation ends the loop, and the next check throws`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let log = EventLog()
        let task = Task {
            try await withCoroutine {
                for value in Coroutine.sequence(stream) { log.record("\(value)") }
                log.record("after the loop")
                try Coroutine.checkCancellation()
                log.unreached()
            }
        }
        continuation.yield(1)
        try await log.events(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.events == ["1", "after the loop"])
    }

    @Test func `cancelled between elements`() async throws {
        let log = EventLog()
        let task = Task {
            try await withCoroutine {
                for value in Coroutine.sequence(Self.numbers(1, 2, 3)) {
                    log.record("\(value)")
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                try Coroutine.checkCancellation()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.events == ["1"])
    }

    // MARK: forEach

    @Test func `for each`() async throws {
        let values = try await withCoroutine {
            var values: [Int] = []
            try Coroutine.forEach(Counter(count: 10)) { number in
                try Coroutine.yield()
                values.append(number.value)
            }
            return values
        }
        #expect(values == Array(0..<10))
    }

    @Test func `for each throws what the sequence throws`() async throws {
        let values = try await withCoroutine {
            var values: [Int] = []
            #expect(throws: Failure()) { try Coroutine.forEach(Self.failing(after: 1, 2)) { values.append($0) } }
            return values
        }
        #expect(values == [1, 2])
    }

    @Test func `for each throws what its body throws`() async throws {
        let counter = Counter(count: 10)
        let values = try await withCoroutine {
            var values: [Int] = []
            #expect(throws: Failure()) {
                try Coroutine.forEach(counter) { number in
                    values.append(number.value)
                    if number.value == 2 { throw Failure() }
                }
            }
            return values
        }
        #expect(values == [0, 1, 2])
        #expect(counter.tracker.alive == 0)
    }

    @Test func `for each throws when cancelled`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let log = EventLog()
        let task = Task {
            try await withCoroutine { try Coroutine.forEach(stream) { log.record("\($0)") } }
        }
        continuation.yield(1)
        try await log.events(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(log.events == ["1"])
    }
}
