// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CallbackSequence: buffering", .timeLimit(.minutes(10)))
struct CallbackSequenceBufferingTests {
    @Test func `unbounded keeps everything in order`() throws {
        let trial = SequenceTrial()
        for element in 0..<1_000 { #expect(trial.yield(element) == .accepted) }
        trial.sink.value?.finish()
        try trial.parkedConsumer().get()
        #expect(trial.received.all == Array(0..<1_000))
    }

    @Test func `drop oldest keeps the newest counts and reports once`() throws {
        let trial = SequenceTrial(.newest(capacity: 2))
        let results = (1...5).map { trial.yield($0) }
        #expect(results == [.accepted, .accepted, .dropped, .dropped, .dropped])
        #expect(trial.undelivered.all == [1, 2, 3])
        #expect(trial.sink.value?.droppedCount == 3)
        #expect(trial.sink.value?.bufferedCount == 2)
        trial.sink.value?.finish()
        try trial.parkedConsumer().get()
        #expect(trial.received.all == [4, 5])
        #expect(trial.place.reports.map(\.kind) == [.elementsDropped])
    }

    @Test func `drop newest keeps the oldest counts and reports once`() throws {
        let trial = SequenceTrial(.oldest(capacity: 2))
        let results = (1...5).map { trial.yield($0) }
        #expect(results == [.accepted, .accepted, .dropped, .dropped, .dropped])
        #expect(trial.undelivered.all == [3, 4, 5])
        #expect(trial.sink.value?.droppedCount == 3)
        trial.sink.value?.finish()
        try trial.parkedConsumer().get()
        #expect(trial.received.all == [1, 2])
        #expect(trial.place.reports.map(\.kind) == [.elementsDropped])
    }

    @Test func `fail delivers what it has then the fault`() {
        let trial = SequenceTrial(.failing(capacity: 2))
        let results = (1...4).map { trial.yield($0) }
        #expect(results == [.accepted, .accepted, .dropped, .terminated])
        #expect(trial.undelivered.all == [3, 4])
        #expect(trial.terminations.all == [.failed])
        let consumer = trial.parkedConsumer()
        #expect(throws: trial.fault(.bufferOverflow)) { try consumer.get() }
        #expect(trial.received.all == [1, 2])
        #expect(trial.sink.value?.droppedCount == 1)
        #expect(trial.place.reports.map(\.kind) == [.elementsDropped])
    }

    @Test func `no policy drops for a sender`() throws {
        for buffering in [BufferingPolicy.newest(capacity: 1), .oldest(capacity: 1), .failing(capacity: 1)] {
            let trial = SequenceTrial(buffering)
            trial.yield(1)
            let sender = trial.waitingSender(2)
            #expect(!sender.hasEnded)
            let consumer = trial.parkedConsumer()
            sender.turn()
            #expect(try sender.get())
            consumer.turn()
            #expect(trial.received.all == [1, 2])
            #expect(trial.undelivered.all.isEmpty)
            #expect(trial.sink.value?.droppedCount == 0)
        }
    }

    @Test func `a watermark loses nothing of a source that does not pause`() throws {
        let trial = SequenceTrial(.watermark(low: 1, high: 2))
        let results = (1...4).map { trial.yield($0) }
        #expect(results == [.accepted, .acceptedPleasePause, .acceptedPleasePause, .acceptedPleasePause])
        trial.sink.value?.finish()
        try trial.parkedConsumer().get()
        #expect(trial.received.all == [1, 2, 3, 4])
        #expect(trial.sink.value?.droppedCount == 0)
        #expect(trial.place.reports.isEmpty)
    }

    /// A source that goes on from within `onDemand`, and stops when it is asked to.
    @Test(arguments: [(0, 1), (0, 3), (1, 2), (2, 5)])
    func `an obedient source never overfills the buffer`(low: Int, high: Int) throws {
        let trial = SequenceTrial(.watermark(low: low, high: high))
        let counter = Slot<Int>()
        counter.put(0)
        let fullest = Log<Int>()
        let goOn: @Sendable () -> Void = {
            guard let sink = trial.sink.value else { return }
            fullest(sink.bufferedCount)
            while let element = counter.value, element < 100 {
                counter.put(element + 1)
                if sink.yield(element) == .acceptedPleasePause { break }
            }
            fullest(sink.bufferedCount)
            if counter.value == 100 { sink.finish() }
        }
        trial.sink.value?.onDemand(goOn)
        goOn()
        let consumer = trial.parkedConsumer()
        try consumer.get()
        #expect(trial.received.all == Array(0..<100))
        #expect(fullest.all.max() == high)
        // From its second time on it runs because the buffer has fallen to the low mark.
        #expect(fullest.all.dropFirst(2).enumerated().allSatisfy { $0.offset % 2 == 1 || $0.element == low })
        trial.sink.take()
    }

    @Test func `on demand runs at once if the buffer had fallen before`() {
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        #expect(trial.yield(1) == .acceptedPleasePause)
        _ = trial.parkedConsumer()
        let log = Log<Int>()
        trial.sink.value?.onDemand { log(1) }
        #expect(log.all == [1])
    }

    @Test func `senders are served in their order`() throws {
        let trial = SequenceTrial(.watermark(low: 0, high: 2))
        for element in 1...2 { trial.yield(element) }
        let senders = (3...7).map { trial.waitingSender($0) }
        #expect(senders.allSatisfy { !$0.hasEnded })
        #expect(trial.sink.value?.bufferedCount == 2)
        let consumer = trial.parkedConsumer()
        consumer.turn()
        for sender in senders {
            sender.turn()
            #expect(try sender.get())
        }
        #expect(trial.received.all == Array(1...7))
    }

    @Test(arguments: [0, 1, 2])
    func `senders that wait at the end get their elements back`(_ end: Int) throws {
        let trial = SequenceTrial(.watermark(low: 0, high: 1))
        trial.yield(1)
        let senders = (2...4).map { trial.waitingSender($0) }
        switch end {
        case 0: trial.sink.value?.finish()
        case 1: trial.sink.value?.fail(APIError())
        default: trial.sequence.take()
        }
        for sender in senders {
            sender.turn()
            #expect(try sender.get() == false)
        }
        #expect(trial.undelivered.all.filter { $0 > 1 } == [2, 3, 4])
        #expect(trial.terminations.count == 1)
    }

    @Test func `send after the end is refused`() throws {
        let trial = SequenceTrial()
        trial.sink.value?.finish()
        let sender = trial.waitingSender(1)
        #expect(try sender.get() == false)
        #expect(trial.undelivered.all == [1])
    }

    // MARK: Wrong sizes

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(arguments: [0, -1])
    func `a buffer of no elements is refused`(_ capacity: Int) async {
        await #expect(processExitsWith: .failure) { [capacity] in
            _ = CallbackSequence<Int, Never>.makeSequence(buffering: .failing(capacity: capacity))
        }
    }
    #endif

    @Test func `a negative capacity is refused`() async {
        await #expect(processExitsWith: .failure) {
            _ = CallbackSequence<Int, Never>.makeSequence(buffering: .bounded(capacity: -1))
        }
    }

    @Test(arguments: [(0, 1), (1, 1), (2, 2), (16, 16)])
    func `a bounded buffer asks for a pause when it is full`(_ capacity: Int, _ full: Int) {
        let trial = SequenceTrial(.bounded(capacity: capacity))
        for number in 1...full {
            #expect(trial.sink.value?.yield(number) == (number == full ? .acceptedPleasePause : .accepted))
        }
        #expect(trial.sink.value?.yield(full + 1) == .acceptedPleasePause)
        #expect(trial.sink.value?.droppedCount == 0)
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(arguments: [(-1, 1), (1, 1), (2, 1)])
    func `marks that are not low < high are refused`(_ low: Int, _ high: Int) async {
        await #expect(processExitsWith: .failure) { [low, high] in
            _ = CallbackSequence<Int, Never>(buffering: .watermark(low: low, high: high)) { _ in {} }
        }
    }
    #endif
}
