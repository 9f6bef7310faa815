// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CallbackSequence: cancellation", .timeLimit(.minutes(10)))
struct CallbackSequenceCancellationTests {
    @Test(arguments: [true, false])
    func `of a consumer that waits wakes it and stops the source`(isCold: Bool) {
        let trial = isCold ? SequenceTrial(coldly: .unbounded) : SequenceTrial()
        let consumer = trial.parkedConsumer()
        #expect(!consumer.hasEnded)
        consumer.cancel()
        consumer.turn()
        #expect(throws: CancellationError.self) { try consumer.get() }
        #expect(trial.terminations.all == [.cancelled])
        #expect(trial.yield(1) == .terminated)
        #expect(trial.undelivered.all == [1])
    }

    /// The cancellation runs under the lock of the task's status: no user code may run in it.
    @Test func `runs no teardown itself`() {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        consumer.cancel()
        #expect(trial.terminations.all.isEmpty)
        consumer.turn()
        #expect(trial.terminations.all == [.cancelled])
    }

    @Test func `while the buffer has elements gives them up`() {
        let trial = SequenceTrial()
        for element in 1...3 { trial.yield(element) }
        let consumer = trial.consumer()
        consumer.cancel()
        consumer.turn()
        #expect(throws: CancellationError.self) { try consumer.get() }
        #expect(trial.received.all.isEmpty)
        #expect(trial.undelivered.all == [1, 2, 3])
        #expect(trial.terminations.all == [.cancelled])
    }

    @Test func `after an element has woken the consumer gives it up`() {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        trial.yield(1)
        consumer.cancel()
        consumer.turn()
        #expect(throws: CancellationError.self) { try consumer.get() }
        #expect(trial.received.all + trial.undelivered.all == [1])
        #expect(trial.terminations.all == [.cancelled])
    }

    @Test func `after the source ended runs no second teardown`() {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        trial.yield(1)
        trial.sink.value?.finish()
        consumer.cancel()
        consumer.turn()
        #expect(throws: CancellationError.self) { try consumer.get() }
        #expect(trial.terminations.all == [.finished])
        #expect(trial.undelivered.all == [1])
    }

    @Test func `before the iteration does not start a cold source`() {
        let trial = SequenceTrial(coldly: .unbounded)
        let consumer = trial.consumer()
        consumer.cancel()
        consumer.turn()
        #expect(throws: CancellationError.self) { try consumer.get() }
        #expect(trial.sink.value == nil)
        #expect(trial.terminations.all.isEmpty)
        #expect(trial.place.reports.isEmpty)
    }

    /// Made in a cancelled task it has no source; waiting for one in another task would last forever.
    @Test func `before the iteration ends an iterator that another task gets`() throws {
        let trial = SequenceTrial(coldly: .unbounded)
        let iterator = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        let sequence = trial.sequence.value
        let maker = HandDriven { sequence.map { iterator.put(Unchecked(value: $0.makeAsyncIterator())) } }
        maker.cancel()
        maker.turn()
        let received = trial.received
        let other = HandDriven {
            guard let made = iterator.take() else { return }
            try await iterate(made.value, taking: .max) { received($0) }
        }
        other.turn()
        #expect(other.hasEnded)
        try other.get()
        #expect(trial.sink.value == nil)
    }

    /// A copy that lives on must not keep the source running.
    @Test func `ends the sequence though a copy of the iterator lives`() {
        let trial = SequenceTrial()
        trial.yield(1)
        let copy = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        let sequence = trial.sequence.value
        let consumer = HandDriven {
            guard var iterator = sequence?.makeAsyncIterator() else { return }
            copy.put(Unchecked(value: iterator))
            while try await iterator.next() != nil {}
        }
        consumer.turn()
        #expect(!consumer.hasEnded)
        consumer.cancel()
        consumer.turn()
        #expect(throws: CancellationError.self) { try consumer.get() }
        #expect(trial.terminations.all == [.cancelled])
        #expect(trial.yield(2) == .terminated)
    }

    @Test func `ends a typed sequence quietly`() throws {
        let trial = SequenceTrial(throwing: APIError.self)
        let consumer = trial.parkedConsumer()
        consumer.cancel()
        consumer.turn()
        try consumer.get()
        #expect(trial.terminations.all == [.cancelled])
    }

    // MARK: Senders

    @Test func `of a waiting sender gives its element back once`() {
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        trial.yield(1)
        let sender = trial.waitingSender(2)
        #expect(!sender.hasEnded)
        sender.cancel()
        sender.turn()
        #expect(throws: CancellationError.self) { try sender.get() }
        #expect(trial.undelivered.all == [2])
        trial.sink.value?.finish()
        trial.parkedConsumer().turn()
        #expect(trial.received.all == [1])
        #expect(trial.undelivered.all == [2])
    }

    @Test func `of a task that sends later gives its element back`() {
        let trial = SequenceTrial()
        let sender = trial.sender(1)
        sender.cancel()
        sender.turn()
        #expect(throws: CancellationError.self) { try sender.get() }
        #expect(trial.undelivered.all == [1])
        #expect(trial.sink.value?.bufferedCount == 0)
    }

    @Test func `after a sender was admitted is too late`() throws {
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        trial.yield(1)
        let sender = trial.waitingSender(2)
        _ = trial.parkedConsumer()
        sender.cancel()
        sender.turn()
        #expect(try sender.get())
        #expect(trial.received.all == [1, 2])
        #expect(trial.undelivered.all.isEmpty)
    }

    @Test func `of the consumer ends the sender's wait`() throws {
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        trial.yield(1)
        let senders = (2...4).map { trial.waitingSender($0) }
        let consumer = trial.consumer()
        consumer.cancel()
        consumer.turn()
        for sender in senders {
            sender.turn()
            #expect(try sender.get() == false)
        }
        #expect(trial.undelivered.all.sorted() == [1, 2, 3, 4])
    }
}
