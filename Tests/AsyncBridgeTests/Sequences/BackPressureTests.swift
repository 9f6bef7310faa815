// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

/// A source that is paused and resumed by its sink.
private final class Source: Sendable {
    private struct State {
        var actions: [String] = []
        var isPaused = false
        var faults: [String] = []
    }

    private let state = Mutex(State())

    func pause() {
        self.state.withLock { state in
            if state.isPaused { state.faults.append("paused twice") }
            state.isPaused = true
            state.actions.append("pause")
        }
    }

    func resume() {
        self.state.withLock { state in
            if !state.isPaused { state.faults.append("resumed while it flowed") }
            state.isPaused = false
            state.actions.append("resume")
        }
    }

    var isPaused: Bool { self.state.withLock { $0.isPaused } }
    var actions: [String] { self.state.withLock { $0.actions } }
    var faults: [String] { self.state.withLock { $0.faults } }
}

@Suite("CallbackSequence.Sink.onBackPressure", .timeLimit(.minutes(10)))
struct BackPressureTests {
    private typealias Numbers = CallbackSequence<Int, Never>

    @Test func `pauses at the high mark and resumes at the low one`() async {
        let (sequence, sink) = Numbers.makeSequence(buffering: .watermark(low: 1, high: 3))
        let source = Source()
        sink.onBackPressure(pause: { source.pause() }, resume: { source.resume() })
        for number in 0..<2 { #expect(sink.yield(number) == .accepted) }
        #expect(source.actions.isEmpty)
        #expect(sink.yield(2) == .acceptedPleasePause)
        #expect(source.actions == ["pause"])
        // What a source delivers that cannot pause at once is kept, and it is not told again.
        #expect(sink.yield(3) == .acceptedPleasePause)
        #expect(source.actions == ["pause"])

        var iterator = sequence.makeAsyncIterator()
        for number in 0..<2 { #expect(await iterator.next() == number) }
        #expect(source.actions == ["pause"])
        #expect(await iterator.next() == 2)
        #expect(source.actions == ["pause", "resume"])
        #expect(await iterator.next() == 3)
        #expect(source.actions == ["pause", "resume"])
    }

    @Test func `pauses at once if the buffer is full already`() {
        let (sequence, sink) = Numbers.makeSequence(buffering: .watermark(low: 0, high: 1))
        sink.yield(0)
        let source = Source()
        sink.onBackPressure(pause: { source.pause() }, resume: { source.resume() })
        #expect(source.actions == ["pause"])
        _ = sequence
    }

    @Test func `releases its actions at the end`() async {
        let (sequence, sink) = Numbers.makeSequence(buffering: .watermark(low: 0, high: 1))
        weak var probe: Source?
        do {
            let source = Source()
            probe = source
            sink.onBackPressure(pause: { source.pause() }, resume: { source.resume() })
        }
        #expect(probe != nil)
        sink.finish()
        #expect(probe == nil)
        _ = sequence
    }

    /// The consumer empties the buffer while the source is being paused: the pause is followed by the resumption.
    @Test func `resumes after a pause that the consumer overtook`() {
        let (sequence, sink) = Numbers.makeSequence(buffering: .watermark(low: 0, high: 1))
        let source = Source()
        let consumer = HandDriven { for await _ in sequence {} }
        sink.onBackPressure(
            pause: {
                consumer.turn()
                source.pause()
            },
            resume: { source.resume() }
        )
        #expect(sink.yield(0) == .acceptedPleasePause)
        #expect(sink.bufferedCount == 0)
        #expect(source.actions == ["pause", "resume"])
        sink.finish()
    }
}

@Suite("CallbackSequence.Sink.onBackPressure under stress", .serialized, .timeLimit(.minutes(10)))
struct BackPressureStressTests {
    /// A source on one task, a consumer on another: the source is never left paused with an empty buffer.
    @Test func `never forgets to resume`() async {
        let count = Stress.iterations
        let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence(buffering: .watermark(low: 0, high: 1))
        let source = Source()
        sink.onBackPressure(pause: { source.pause() }, resume: { source.resume() })
        let producer = Task {
            for number in 0..<count {
                // Honest, and without a wait of its own: yields only while it flows.
                while source.isPaused, !Task.isCancelled { await Task.yield() }
                sink.yield(number)
            }
            sink.finish()
        }
        var next = 0
        for await number in sequence {
            guard number == next else { break }
            next += 1
        }
        // Over already, unless an element or the end did not come.
        producer.cancel()
        await producer.value
        #expect(next == count)
        #expect(source.faults.isEmpty)
    }
}
