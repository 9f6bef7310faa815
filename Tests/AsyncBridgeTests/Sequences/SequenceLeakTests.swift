// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// Everything of the user's holds a probe: elements, teardowns, demand actions, builders.
@Suite("Sequences keep nothing alive", .timeLimit(.minutes(10)))
struct SequenceLeakTests {
    typealias Sequence = CallbackSequence<Lifetimes.Probe, any Error>

    enum End: CaseIterable {
        case finished
        case failed
        case sinkDropped
        case cancelled
        case left
        case sequenceDropped
        case iteratorDropped
    }

    private let lifetimes = Lifetimes()
    private let place = Place()

    /// Makes, uses and ends a sequence, and returns when nothing of it is left on the stack.
    @inline(never)
    private func live(_ end: End, _ buffering: BufferingPolicy, isCold: Bool) {
        let sinks = Slot<Sequence.Sink>()
        let sequences = Slot<Sequence>()
        let lifetimes = self.lifetimes
        let builderProbe = lifetimes.probe()
        if isCold {
            sequences.put(
                Sequence(buffering: buffering, fileID: Place.fileID, line: self.place.line) { sink in
                    sinks.put(sink)
                    return { builderProbe.touch() }
                }
            )
        } else {
            let (sequence, sink) = Sequence.makeSequence(
                buffering: buffering,
                fileID: Place.fileID,
                line: self.place.line
            )
            sinks.put(sink)
            sequences.put(sequence)
        }
        let iterators = Slot<Unchecked<Sequence.AsyncIterator>>()
        // Only a hot sequence that nobody iterates ends with itself.
        if end != .sequenceDropped || isCold {
            sequences.value.map { iterators.put(Unchecked(value: $0.makeAsyncIterator())) }
        }
        let (teardownProbe, demandProbe) = (lifetimes.probe(), lifetimes.probe())
        // Both hold the sink: cycles that the end must break.
        let sink = sinks.value
        sink?.onTermination { _ in withExtendedLifetime(sink) { teardownProbe.touch() } }
        if end != .sinkDropped { sink?.onDemand { withExtendedLifetime(sink) { demandProbe.touch() } } }
        if end == .sinkDropped {
            self.dropSink(sinks, iterators, buffering)
        } else {
            for _ in 0..<3 { sinks.value?.yield(lifetimes.probe()) }
        }
        self.finish(end, sinks, sequences, iterators)
    }

    private func dropSink(
        _ sinks: Slot<Sequence.Sink>,
        _ iterators: Slot<Unchecked<Sequence.AsyncIterator>>,
        _ buffering: BufferingPolicy
    ) {
        // A sink that its own teardown holds is never dropped: a new sequence whose teardown does not.
        let (sequence, sink) = Sequence.makeSequence(
            buffering: buffering,
            fileID: Place.fileID,
            line: self.place.line
        )
        let probe = self.lifetimes.probe()
        sink.onTermination { _ in probe.touch() }
        sink.yield(self.lifetimes.probe())
        sinks.value?.finish()
        iterators.put(Unchecked(value: sequence.makeAsyncIterator()))
        sinks.put(sink)
    }

    private func finish(
        _ end: End,
        _ sinks: Slot<Sequence.Sink>,
        _ sequences: Slot<Sequence>,
        _ iterators: Slot<Unchecked<Sequence.AsyncIterator>>
    ) {
        switch end {
        case .finished: sinks.value?.finish()
        case .failed: sinks.value?.fail(APIError())
        case .sinkDropped: sinks.take()
        case .sequenceDropped:
            sequences.take()
            iterators.take()
        case .iteratorDropped: iterators.take()
        case .cancelled, .left: break
        }
        let consumer = HandDriven {
            guard let made = iterators.take() else { return }
            try await iterate(made.value, taking: end == .left ? 1 : .max) { $0.touch() }
        }
        if end == .cancelled { consumer.cancel() }
        consumer.turn()
        #expect(consumer.hasEnded)
    }

    static let policies: [BufferingPolicy] = [
        .unbounded, .newest(capacity: 1), .failing(capacity: 1), .watermark(low: 0, high: 1),
    ]

    @Test(arguments: End.allCases, policies)
    func `after each end`(_ end: End, _ buffering: BufferingPolicy) async {
        for isCold in [true, false] {
            self.live(end, buffering, isCold: isCold)
            await until { self.lifetimes.alive == 0 }
        }
    }

    @Test(arguments: [0, 1, 2])
    func `of waiting senders`(_ end: Int) async {
        self.liveWithSenders(end)
        await until { self.lifetimes.alive == 0 }
    }

    @inline(never)
    private func liveWithSenders(_ end: Int) {
        let (sequence, sink) = Sequence.makeSequence(
            buffering: .watermark(low: 0, high: 1),
            fileID: Place.fileID,
            line: self.place.line
        )
        let lifetimes = self.lifetimes
        sink.yield(lifetimes.probe())
        let senders = (0..<3).map { _ in HandDriven { try await sink.send(lifetimes.probe()) } }
        for sender in senders { sender.turn() }
        #expect(lifetimes.alive == 4)
        switch end {
        case 0: sink.finish()
        case 1: for sender in senders { sender.cancel() }
        default: withExtendedLifetime(sequence.makeAsyncIterator()) {}
        }
        for sender in senders { sender.turn() }
        #expect(senders.allSatisfy { $0.hasEnded })
        withExtendedLifetime(sequence) {}
    }

    @Test func `of a shared sequence`() async {
        await self.liveShared()
        await until { self.lifetimes.alive == 0 }
    }

    @inline(never)
    private func liveShared() async {
        let lifetimes = self.lifetimes
        let shared = CallbackSequence<Lifetimes.Probe, Never> { sink in
            for _ in 0..<3 { sink.yield(lifetimes.probe()) }
            let probe = lifetimes.probe()
            return { withExtendedLifetime(sink) { probe.touch() } }
        }
        .share()
        let consumers = (0..<2).map { _ in
            HandDriven { for await element in shared { element.touch() } }
        }
        for consumer in consumers { consumer.turn() }
        await until { lifetimes.alive > 0 }
        for consumer in consumers {
            consumer.cancel()
            consumer.turn()
            #expect(consumer.hasEnded)
        }
    }

    @Test(arguments: [true, false])
    func `of forEach`(cancels: Bool) async {
        await self.liveForEach(cancels: cancels)
        await until { self.lifetimes.alive == 0 }
    }

    @inline(never)
    private func liveForEach(cancels: Bool) async {
        let (sequence, sink) = Sequence.makeSequence(fileID: Place.fileID, line: self.place.line)
        let (element, end) = (self.lifetimes.probe(), self.lifetimes.probe())
        let handle = sequence.forEach { [element] in
            element.touch()
            $0.touch()
        } onCompletion: { [end] _ in
            end.touch()
        }
        sink.yield(self.lifetimes.probe())
        if cancels { handle.cancel() } else { sink.finish() }
        await handle.finished()
    }
}
