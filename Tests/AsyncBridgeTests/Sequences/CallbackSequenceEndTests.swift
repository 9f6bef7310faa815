// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CallbackSequence: ends", .timeLimit(.minutes(10)))
struct CallbackSequenceEndTests {
    // MARK: The source's end

    @Test func `finish comes after the elements`() throws {
        let trial = SequenceTrial()
        trial.yield(1)
        trial.yield(2)
        trial.sink.value?.finish()
        #expect(trial.terminations.all == [.finished])
        let consumer = trial.parkedConsumer()
        try consumer.get()
        #expect(trial.received.all == [1, 2])
        #expect(trial.undelivered.all.isEmpty)
        #expect(trial.place.reports.isEmpty)
    }

    @Test func `failure comes after the elements and once`() {
        let trial = SequenceTrial()
        trial.yield(1)
        trial.sink.value?.fail(APIError(code: 3))
        #expect(trial.terminations.all == [.failed])
        let sequence = trial.sequence.value
        let results = Log<String>()
        let consumer = HandDriven {
            guard var iterator = sequence?.makeAsyncIterator() else { return }
            for _ in 0..<4 {
                do {
                    results("\(try await iterator.next() ?? 0)")
                } catch {
                    results("\((error as? APIError)?.code ?? -1)!")
                }
            }
        }
        consumer.turn()
        #expect(results.all == ["1", "3!", "0", "0"])
    }

    @Test(arguments: [true, false])
    func `wakes a consumer that waits`(isFailure: Bool) {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        #expect(!consumer.hasEnded)
        trial.sink.value?.finish(with: isFailure ? .failure(APIError()) : .success(()))
        #expect(trial.terminations.all == [isFailure ? .failed : .finished])
        consumer.turn()
        if isFailure {
            #expect(throws: APIError()) { try consumer.get() }
        } else {
            #expect(throws: Never.self) { try consumer.get() }
        }
        #expect(trial.terminations.count == 1)
    }

    @Test func `the first end wins`() throws {
        let trial = SequenceTrial()
        trial.sink.value?.finish()
        trial.sink.value?.fail(APIError())
        trial.sink.value?.finish()
        #expect(trial.yield(1) == .terminated)
        try trial.parkedConsumer().get()
        trial.sink.take()
        #expect(trial.terminations.all == [.finished])
        #expect(trial.undelivered.all == [1])
        #expect(trial.place.reports.isEmpty)
    }

    @Test func `each teardown runs once and a late one at once`() {
        let trial = SequenceTrial()
        let log = Log<String>()
        trial.sink.value?.onTermination { log("early \($0)") }
        trial.sink.value?.fail(APIError())
        trial.sink.value?.onTermination { log("late \($0)") }
        trial.sequence.take()
        #expect(log.all == ["early failed", "late failed"])
        #expect(trial.terminations.all == [.failed])
    }

    // MARK: Dropped

    @Test(arguments: [false, true])
    func `a dropped sink ends the wait with a fault that names the place`(onAnotherThread: Bool) async {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        if onAnotherThread { await onThread { trial.sink.take() } } else { trial.sink.take() }
        #expect(trial.terminations.all == [.failed])
        consumer.turn()
        #expect(throws: trial.fault(.sinkDropped)) { try consumer.get() }
        #expect(trial.place.reports.map(\.kind) == [.droppedSink])
    }

    /// When the consumer or the source is told of the end, it finds the report.
    @Test func `a dropped sink and an overflow are reported first`() {
        let found = Log<[BridgeDiagnostics.Misuse.Kind]>()
        let dropped = SequenceTrial()
        dropped.sink.value?.onTermination { [place = dropped.place] _ in found(place.reports.map(\.kind)) }
        dropped.sink.take()
        let full = SequenceTrial(.failing(capacity: 1))
        full.sink.value?.onTermination { [place = full.place] _ in found(place.reports.map(\.kind)) }
        full.yield(1)
        full.yield(2)
        #expect(found.all == [[.droppedSink], [.elementsDropped]])
    }

    @Test func `a dropped sink leaves the elements to the consumer`() {
        let trial = SequenceTrial()
        trial.yield(1)
        trial.yield(2)
        trial.sink.take()
        let consumer = trial.parkedConsumer()
        #expect(throws: trial.fault(.sinkDropped)) { try consumer.get() }
        #expect(trial.received.all == [1, 2])
    }

    @Test func `a sink is not dropped as long as a copy or a handler lives`() {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        let handler = Slot<@Sendable (Int) -> Void>()
        let copy = Slot<CallbackSequence<Int, any Error>.Sink>()
        trial.sink.value.map(copy.put)
        trial.sink.take()
        copy.value.map { handler.put($0.handler()) }
        copy.take()
        #expect(trial.terminations.all.isEmpty)
        handler.value?(5)
        consumer.turn()
        #expect(trial.received.all == [5])
        handler.take()
        consumer.turn()
        #expect(throws: trial.fault(.sinkDropped)) { try consumer.get() }
    }

    @Test func `a sink dropped in the builder ends the sequence`() {
        let place = Place()
        let sequence = CallbackSequence<Int, any Error>(fileID: Place.fileID, line: place.line) { sink in
            sink.yield(1)
            return {}
        }
        let received = Log<Int>()
        let consumer = HandDriven { for try await element in sequence { received(element) } }
        consumer.turn()
        #expect(throws: BridgeFault(.sinkDropped, made: place.site)) { try consumer.get() }
        #expect(received.all == [1])
        #expect(place.reports.map(\.kind) == [.droppedSink])
    }

    @Test func `a sequence that is never iterated ends when it goes`() {
        let trial = SequenceTrial()
        trial.yield(1)
        trial.yield(2)
        #expect(trial.terminations.all.isEmpty)
        trial.sequence.take()
        #expect(trial.terminations.all == [.cancelled])
        #expect(trial.undelivered.all == [1, 2])
        #expect(trial.yield(3) == .terminated)
        #expect(trial.undelivered.all == [1, 2, 3])
        trial.sink.take()
        #expect(trial.place.reports.isEmpty)
    }

    @Test func `a finished sequence that is never iterated gives up its elements`() {
        let trial = SequenceTrial()
        trial.yield(1)
        trial.sink.value?.finish()
        trial.sequence.take()
        #expect(trial.terminations.all == [.finished])
        #expect(trial.undelivered.all == [1])
    }

    @Test func `an iterator outlives its sequence`() throws {
        let trial = SequenceTrial()
        let consumer = trial.parkedConsumer()
        trial.sequence.take()
        #expect(trial.terminations.all.isEmpty)
        trial.yield(1)
        trial.sink.value?.finish()
        consumer.turn()
        try consumer.get()
        #expect(trial.received.all == [1])
    }

    // MARK: The consumer's end

    @Test(arguments: [true, false])
    func `leaving the loop stops the source`(isCold: Bool) throws {
        let trial = isCold ? SequenceTrial(coldly: .unbounded) : SequenceTrial()
        let consumer = trial.parkedConsumer(taking: 2)
        for element in 1...4 { trial.yield(element) }
        #expect(trial.terminations.all.isEmpty)
        consumer.turn()
        try consumer.get()
        #expect(trial.received.all == [1, 2])
        #expect(trial.terminations.all == [.cancelled])
        #expect(trial.undelivered.all == [3, 4])
        #expect(trial.yield(5) == .terminated)
        trial.sink.value?.finish()
        trial.sequence.take()
        #expect(trial.terminations.count == 1)
        #expect(trial.undelivered.all == [3, 4, 5])
        #expect(trial.place.reports.isEmpty)
    }

    @Test func `an iterator that is dropped on another thread stops the source there`() async {
        let trial = SequenceTrial()
        trial.yield(1)
        let iterator = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        trial.sequence.value.map { iterator.put(Unchecked(value: $0.makeAsyncIterator())) }
        trial.sequence.take()
        #expect(trial.terminations.all.isEmpty)
        await onThread { iterator.take() }
        #expect(trial.terminations.all == [.cancelled])
        #expect(trial.undelivered.all == [1])
    }

    @Test func `a copy of the iterator keeps the source`() {
        let trial = SequenceTrial()
        let first = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        trial.sequence.value.map { first.put(Unchecked(value: $0.makeAsyncIterator())) }
        let copy = Slot<Unchecked<CallbackSequence<Int, any Error>.AsyncIterator>>()
        first.value.map(copy.put)
        first.take()
        #expect(trial.terminations.all.isEmpty)
        copy.take()
        #expect(trial.terminations.all == [.cancelled])
    }
}
