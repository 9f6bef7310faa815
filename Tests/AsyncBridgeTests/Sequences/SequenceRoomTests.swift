// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CallbackSequence: what its buffer is said to hold, and holds", .timeLimit(.minutes(10)))
struct SequenceRoomTests {
    @Test func `a batch that was taken is not in the buffer`() throws {
        let trial = SequenceTrial(.watermark(low: 0, high: 16))
        for element in 0..<10 { trial.yield(element) }
        let counts = Log<Int?>()
        let consumer = HandDriven {
            guard let sequence = trial.sequence.value else { return }
            for try await _ in sequence { counts(trial.sink.value?.bufferedCount) }
        }
        consumer.turn()
        #expect(counts.all == (0..<10).reversed())
        trial.sink.value?.finish()
        consumer.turn()
    }

    @Test func `a batch that comes back is not in the buffer`() throws {
        let trial = SequenceTrial(.watermark(low: 0, high: 16))
        for element in 0..<10 { trial.yield(element) }
        let consumer = trial.parkedConsumer(taking: 2)
        try consumer.get()
        #expect(trial.sink.value?.bufferedCount == 0)
        #expect(trial.undelivered.all == Array(2..<10))
    }

    @Test func `a buffer that overflowed is not said to drop by policy`() throws {
        let trial = SequenceTrial(.failing(capacity: 1))
        for element in 0..<2 { trial.yield(element) }
        let advice = try #require(trial.place.reports.first?.advice)
        #expect(advice.contains("its policy is to fail"))
        #expect(!advice.contains("its policy is to drop"))
    }
}
