// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Everything of the user's uses the sink again: under its lock that would end the process or hang.
@Suite("CallbackSequence: no user code runs under its lock", .timeLimit(.minutes(10)))
struct CallbackSequenceLockTests {
    /// Uses a sink when it goes away.
    private final class Toucher: Sendable {
        let touch: @Sendable () -> Void

        init(_ touch: @escaping @Sendable () -> Void) { self.touch = touch }

        deinit { self.touch() }
    }

    private final class TouchingError: Error {
        let toucher: Toucher

        init(_ toucher: Toucher) { self.toucher = toucher }
    }

    private let log = Log<String>()

    /// An object whose end asks the sequence something.
    private func toucher(_ trial: SequenceTrial<any Error>, _ name: String) -> Toucher {
        let sink = trial.sink.value
        return Toucher { [log] in log("\(name) \(sink?.bufferedCount ?? -1)") }
    }

    @Test(arguments: [true, false])
    func `the demand action is released outside`(atTheSourcesEnd: Bool) {
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        do {
            let toucher = self.toucher(trial, "released")
            trial.sink.value?.onDemand { _ = toucher }
        }
        #expect(self.log.all.isEmpty)
        if atTheSourcesEnd { trial.sink.value?.finish() } else { trial.sequence.take() }
        #expect(self.log.all == ["released 0"])
    }

    @Test func `a replaced demand action is released outside`() {
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        do {
            let toucher = self.toucher(trial, "released")
            trial.sink.value?.onDemand { _ = toucher }
        }
        trial.sink.value?.onDemand {}
        #expect(self.log.all == ["released 0"])
    }

    @Test func `an error that nobody saw is released outside`() {
        let trial = SequenceTrial()
        trial.yield(1)
        trial.sink.value?.fail(TouchingError(self.toucher(trial, "released")))
        #expect(self.log.all.isEmpty)
        trial.sequence.take()
        #expect(self.log.all == ["released 0"])
    }

    @Test func `teardowns run and are released outside`() {
        let trial = SequenceTrial()
        do {
            let toucher = self.toucher(trial, "released")
            let sink = trial.sink.value
            trial.sink.value?.onTermination { [log] _ in
                log("torn down \(sink?.bufferedCount ?? -1)")
                _ = toucher
            }
        }
        trial.sink.value?.finish()
        #expect(self.log.all == ["torn down 0", "released 0"])
    }

    @Test func `on demand runs outside`() {
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        let sink = trial.sink.value
        trial.sink.value?.onDemand { [log] in log("demand \(sink?.bufferedCount ?? -1)") }
        trial.yield(1)
        _ = trial.parkedConsumer()
        #expect(self.log.all == ["demand 0"])
        trial.sink.value?.finish()
    }

    @Test(arguments: [BufferingPolicy.newest(capacity: 1), .oldest(capacity: 1), .failing(capacity: 1)])
    func `onUndelivered runs outside`(_ buffering: BufferingPolicy) {
        let sinks = Slot<CallbackSequence<Int, any Error>.Sink>()
        let place = Place()
        let (sequence, sink) = CallbackSequence<Int, any Error>.makeSequence(
            buffering: buffering,
            onUndelivered: { [log] in log("\($0) \(sinks.value?.bufferedCount ?? -1)") },
            fileID: Place.fileID,
            line: place.line
        )
        sinks.put(sink)
        sink.yield(1)
        sink.yield(2)
        #expect(self.log.all == [buffering == .newest(capacity: 1) ? "1 1" : "2 1"])
        sink.finish()
        withExtendedLifetime(sequence) {}
        sinks.take()
    }

    @Test(arguments: [BufferingPolicy.newest(capacity: 1), .oldest(capacity: 1), .failing(capacity: 1)])
    func `elements are released outside`(_ buffering: BufferingPolicy) {
        let place = Place()
        let (sequence, sink) = CallbackSequence<Toucher, any Error>.makeSequence(
            buffering: buffering,
            fileID: Place.fileID,
            line: place.line
        )
        let sequences = Slot<CallbackSequence<Toucher, any Error>>()
        sequences.put(consume sequence)
        for number in 1...2 { sink.yield(Toucher { [log] in log("\(number) \(sink.bufferedCount)") }) }
        #expect(self.log.count == 1)
        sequences.take()
        #expect(self.log.all.sorted() == (buffering == .newest(capacity: 1) ? ["1 1", "2 0"] : ["1 0", "2 1"]))
    }
}
