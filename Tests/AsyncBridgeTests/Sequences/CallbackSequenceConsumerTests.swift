// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CallbackSequence: consumers, errors and sources", .timeLimit(.minutes(10)))
struct CallbackSequenceConsumerTests {
    typealias Iterator = CallbackSequence<Int, any Error>.AsyncIterator

    @Test func `a second consumer gets a fault and the first goes on`() throws {
        let trial = SequenceTrial()
        let first = trial.parkedConsumer()
        let second = trial.parkedConsumer()
        #expect(throws: trial.fault(.secondConsumer)) { try second.get() }
        #expect(trial.terminations.all.isEmpty)
        trial.yield(1)
        trial.sink.value?.finish()
        first.turn()
        try first.get()
        #expect(trial.received.all == [1])
        #expect(trial.place.reports.map(\.kind) == [.secondConsumer])
    }

    /// Leaving a loop ends a hot sequence; what is left of it comes back, and a later loop hears of that.
    @Test func `a loop after another that was left gets a fault of its own`() throws {
        let trial = SequenceTrial()
        for element in 1...2 { trial.yield(element) }
        try trial.parkedConsumer(taking: 1).get()
        #expect(trial.terminations.all == [.cancelled])
        #expect(trial.undelivered.all == [2])
        let second = trial.parkedConsumer()
        #expect(throws: trial.fault(.consumerLeft)) { try second.get() }
        #expect(trial.place.reports.map(\.kind) == [.consumerLeft])
        #expect(trial.place.reports.allSatisfy { !$0.advice.contains("goes on") })
        #expect(trial.terminations.all == [.cancelled])
    }

    @Test func `a loop after a cancelled one gets that fault too`() {
        let trial = SequenceTrial()
        let first = trial.parkedConsumer()
        first.cancel()
        first.turn()
        #expect(throws: trial.fault(.consumerLeft)) { try trial.parkedConsumer().get() }
    }

    @Test func `a loop over a typed sequence that was left ends and is reported`() throws {
        let trial = SequenceTrial(throwing: Never.self)
        trial.yield(1)
        try trial.parkedConsumer(taking: 1).get()
        try trial.parkedConsumer().get()
        #expect(trial.place.reports.map(\.kind) == [.consumerLeft])
    }

    /// There is nothing more, as with any sequence that has been iterated to its end.
    @Test(arguments: [true, false])
    func `a loop after the end ends at once`(fails: Bool) throws {
        let trial = SequenceTrial()
        trial.yield(1)
        if fails { trial.sink.value?.fail(APIError(code: 2)) } else { trial.sink.value?.finish() }
        let first = trial.parkedConsumer()
        #expect(first.hasEnded)
        try trial.parkedConsumer().get()
        #expect(trial.received.all == [1])
        #expect(trial.place.reports.isEmpty)
    }

    /// "The first message, then the rest": one iterator, which loses nothing in between.
    @Test func `an iterator that is kept gives the first and then the rest`() throws {
        let trial = SequenceTrial()
        for element in 1...3 { trial.yield(element) }
        let sequence = trial.sequence.value
        let consumer = HandDriven {
            guard var messages = sequence?.makeAsyncIterator() else { return }
            let greeting = try await messages.next()
            #expect(greeting == 1)
            while let message = try await messages.next() { trial.received(message) }
        }
        consumer.turn()
        trial.sink.value?.finish()
        consumer.turn()
        try consumer.get()
        #expect(trial.received.all == [2, 3])
        #expect(trial.undelivered.all.isEmpty)
    }

    @Test func `a second consumers fault comes once`() {
        let trial = SequenceTrial()
        let first = trial.parkedConsumer()
        let sequence = trial.sequence.value
        let log = Log<String>()
        let second = HandDriven {
            guard var iterator = sequence?.makeAsyncIterator() else { return }
            for _ in 0..<3 {
                do { log("\(String(describing: try await iterator.next()))") } catch { log("fault") }
            }
        }
        second.turn()
        #expect(log.all == ["fault", "nil", "nil"])
        #expect(!first.hasEnded)
    }

    @Test func `a second consumer of a typed sequence gets nothing`() throws {
        let trial = SequenceTrial(throwing: Never.self)
        let first = trial.parkedConsumer()
        let second = trial.parkedConsumer()
        try second.get()
        #expect(!first.hasEnded)
        #expect(trial.place.reports.map(\.kind) == [.secondConsumer])
    }

    @Test func `of two copies that wait at once the second gets a fault`() throws {
        let trial = SequenceTrial()
        let copy = Slot<Unchecked<Iterator>>()
        trial.sequence.value.map { copy.put(Unchecked(value: $0.makeAsyncIterator())) }
        let received = trial.received
        let consumers = (0..<2).map { _ in
            HandDriven {
                guard let made = copy.value else { return }
                try await iterate(made.value, taking: 1) { received($0) }
            }
        }
        for consumer in consumers { consumer.turn() }
        #expect(!consumers[0].hasEnded)
        #expect(throws: trial.fault(.secondConsumer)) { try consumers[1].get() }
        #expect(trial.terminations.all.isEmpty)
        trial.yield(1)
        consumers[0].turn()
        try consumers[0].get()
        #expect(trial.received.all == [1])
        #expect(trial.place.reports.map(\.kind) == [.secondConsumer])
    }

    // MARK: Cold

    @Test func `each iteration of a cold sequence has a source of its own`() throws {
        let starts = Log<Int>()
        let trial = SequenceTrial(coldly: .unbounded) { sink in
            starts(1)
            sink.yield(starts.count)
            sink.finish()
        }
        #expect(starts.count == 0)
        try trial.parkedConsumer().get()
        try trial.parkedConsumer().get()
        #expect(starts.count == 2)
        #expect(trial.received.all == [1, 2])
        #expect(trial.terminations.all == [.finished, .finished])
        #expect(trial.place.reports.isEmpty)
    }

    @Test func `what the builder returns stops the source once`() throws {
        let stops = Log<Int>()
        let sinks = Slot<CallbackSequence<Int, any Error>.Sink>()
        let sequence = CallbackSequence<Int, any Error> { sink in
            sinks.put(sink)
            sink.yield(1)
            return { stops(1) }
        }
        let consumer = HandDriven { for try await _ in sequence { break } }
        consumer.turn()
        try consumer.get()
        sinks.value?.finish()
        #expect(stops.count == 1)
    }

    @Test func `a source that finishes in the builder is stopped as well`() {
        let stops = Log<Int>()
        let sequence = CallbackSequence<Int, Never> { sink in
            sink.finish()
            return { stops(1) }
        }
        _ = sequence.makeAsyncIterator()
        #expect(stops.count == 1)
    }

    // MARK: Errors

    @Test func `a typed failure is thrown as it is`() {
        let trial = SequenceTrial(throwing: APIError.self)
        trial.sink.value?.fail(APIError(code: 4))
        let sequence = trial.sequence.value
        let consumer = HandDriven {
            guard let sequence else { return }
            // Compiles because nothing else can be thrown.
            do throws(APIError) { for try await _ in sequence {} } catch { throw error }
        }
        consumer.turn()
        #expect(throws: APIError(code: 4)) { try consumer.get() }
    }

    /// Its failure type has no room for a fault, so diagnostics are told.
    @Test func `a typed sequence whose sink is dropped ends and is reported`() throws {
        for isNever in [true, false] {
            let place: Place
            if isNever {
                let trial = SequenceTrial(throwing: Never.self)
                let consumer = trial.parkedConsumer()
                trial.sink.take()
                consumer.turn()
                try consumer.get()
                place = trial.place
            } else {
                let trial = SequenceTrial(throwing: APIError.self)
                let consumer = trial.parkedConsumer()
                trial.sink.take()
                consumer.turn()
                try consumer.get()
                place = trial.place
            }
            #expect(place.reports.map(\.kind) == [.droppedSink])
        }
    }

    @Test func `a failure type with room for faults gets them`() {
        let trial = SequenceTrial(throwing: BridgeFault.self)
        trial.sink.take()
        let consumer = trial.parkedConsumer()
        #expect(throws: trial.fault(.sinkDropped)) { try consumer.get() }
    }

    // MARK: Waits

    @Test func `a wait is in the list with its place`() {
        BridgeDiagnostics.tracksPendingWaits = true
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        let waits = { BridgeDiagnostics.pendingWaits.filter { $0.made == trial.place.site }.map(\.bridge) }
        let consumer = trial.parkedConsumer()
        #expect(waits() == ["CallbackSequence"])
        trial.yield(1)
        consumer.turn()
        #expect(waits() == ["CallbackSequence"])
        trial.sink.value?.finish()
        consumer.turn()
        #expect(waits() == [])
    }
}
