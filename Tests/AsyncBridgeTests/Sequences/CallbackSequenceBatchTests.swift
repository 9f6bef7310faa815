// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// What a consumer has taken along from the buffer is as if it were still in it.
@Suite("CallbackSequence: batches", .timeLimit(.minutes(10)))
struct CallbackSequenceBatchTests {
    private typealias Numbers = CallbackSequence<Int, any Error>

    private let undelivered = Log<Int>()
    private let terminations = Log<SequenceTermination>()

    /// A sequence with so many elements in its buffer.
    private func filled(
        _ buffering: BufferingPolicy = .unbounded,
        with count: Int
    ) -> (sequence: Numbers, sink: Numbers.Sink) {
        let (sequence, sink) = Numbers.makeSequence(
            buffering: buffering,
            onUndelivered: { [undelivered] in undelivered($0) }
        )
        sink.onTermination { [terminations] in terminations($0) }
        for element in 0..<count { sink.yield(element) }
        return (sequence, sink)
    }

    @Test func `is given back in order when the task is cancelled half way`() async throws {
        let (sequence, sink) = self.filled(with: 5)
        let consumer = Task { () -> [Int] in
            var received: [Int] = []
            var iterator = sequence.makeAsyncIterator()
            while received.count < 2, let element = try await iterator.next() { received.append(element) }
            // Behind the batch.
            sink.yield(5)
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await iterator.next() }
            #expect(try await iterator.next() == nil)
            return received
        }
        #expect(try await consumer.value == [0, 1])
        #expect(self.undelivered.all == [2, 3, 4, 5])
        #expect(self.terminations.all == [.cancelled])
        #expect(sink.bufferedCount == 0)
    }

    @Test func `is given back in order when the loop is left half way`() async throws {
        let (sequence, sink) = self.filled(with: 5)
        for try await element in sequence where element == 1 {
            sink.yield(5)
            break
        }
        #expect(self.undelivered.all == [2, 3, 4, 5])
        #expect(self.terminations.all == [.cancelled])
        #expect(sink.yield(6) == .terminated)
    }

    @Test func `is delivered when the source ends half way`() async {
        let (sequence, sink) = self.filled(with: 3)
        var received: [Int] = []
        await #expect(throws: APIError(code: 1)) {
            for try await element in sequence {
                received.append(element)
                guard element == 0 else { continue }
                sink.yield(3)
                sink.fail(APIError(code: 1))
            }
        }
        #expect(received == [0, 1, 2, 3])
        #expect(self.undelivered.all.isEmpty)
        #expect(self.terminations.all == [.failed])
    }

    /// One iterator and its copy, in one task: there is one batch, and nothing is delivered twice.
    @Test func `is shared by the copies of an iterator`() async throws {
        let (sequence, sink) = self.filled(with: 6)
        sink.finish()
        var first = sequence.makeAsyncIterator()
        var second = first
        var received: [Int] = []
        while let element = try await first.next() {
            received.append(element)
            if let element = try await second.next() { received.append(element) }
        }
        #expect(received == [0, 1, 2, 3, 4, 5])
        #expect(try await second.next() == nil)
    }

    @Test func `counts as buffered until it is delivered`() async throws {
        let (sequence, sink) = self.filled(.watermark(low: 0, high: 8), with: 4)
        var iterator = sequence.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        // A quarter of the high mark is batch.
        #expect(sink.bufferedCount == 3)
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
        #expect(sink.bufferedCount == 1)
        #expect(try await iterator.next() == 3)
        #expect(sink.bufferedCount == 0)
    }
}
