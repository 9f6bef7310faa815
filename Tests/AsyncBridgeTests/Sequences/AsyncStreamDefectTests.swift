// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// What is known to go wrong with `AsyncStream` and `AsyncThrowingStream`, beside what happens here.
@Suite("AsyncStream's defects are none of ours", .timeLimit(.minutes(10)))
struct AsyncStreamDefectTests {
    /// There the consumer hangs.
    @Test func `a dropped sink ends the consumer's wait`() {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        #expect(!consumer.hasEnded)
        trial.sink.take()
        consumer.turn()
        #expect(throws: trial.fault(.sinkDropped)) { try consumer.get() }
    }

    /// There it ends the process: "attempt to await next() on more than one task".
    @Test func `a second consumer at the same time ends nothing`() throws {
        let trial = SequenceTrial()
        let first = trial.parkedConsumer()
        let second = trial.parkedConsumer()
        #expect(throws: trial.fault(.secondConsumer)) { try second.get() }
        trial.yield(1)
        trial.sink.value?.finish()
        first.turn()
        try first.get()
        #expect(trial.received.all == [1])
    }

    /// There two consumers split the elements between them.
    @Test func `no element is split off for a second consumer`() throws {
        let trial = SequenceTrial()
        let stolen = Log<Int>()
        let first = trial.parkedConsumer()
        let sequence = trial.sequence.value
        let second = HandDriven {
            guard let sequence else { return }
            for try await element in sequence { stolen(element) }
        }
        for element in 0..<6 {
            trial.yield(element)
            second.turn()
            first.turn()
        }
        trial.sink.value?.finish()
        first.turn()
        try first.get()
        #expect(trial.received.all == [0, 1, 2, 3, 4, 5])
        #expect(stolen.all.isEmpty)
    }

    /// There one cancelled consumer ends the stream for all.
    @Test func `a cancelled consumer of a shared sequence leaves the others`() async throws {
        let fountain = Fountain()
        let shared = fountain.share()
        let received = Log<Int>()
        let consumers = (0..<2).map { _ in
            HandDriven { try await iterate(shared.makeAsyncIterator(), taking: .max) { received($0) } }
        }
        for consumer in consumers { consumer.turn() }
        await until { fountain.starts.count == 1 }
        consumers[0].cancel()
        consumers[0].turn()
        #expect(throws: CancellationError.self) { try consumers[0].get() }
        #expect(fountain.sink?.yield(1) == .accepted)
        fountain.sink?.finish()
        await until {
            consumers[1].turn()
            return consumers[1].hasEnded
        }
        #expect(received.all == [1])
    }

    /// There a second consumer that is cancelled ends the first one's stream.
    @Test func `a cancelled second consumer leaves the first`() throws {
        let trial = SequenceTrial()
        let first = trial.parkedConsumer()
        let second = trial.consumer()
        second.cancel()
        second.turn()
        #expect(second.hasEnded)
        #expect(trial.yield(1) == .accepted)
        trial.sink.value?.finish()
        first.turn()
        try first.get()
        #expect(trial.received.all == [1])
    }
}
