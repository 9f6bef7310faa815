// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// After the end of a sequence no action of its source starts, and the teardown comes last.
@Suite("CallbackSequence: actions of the source and its end", .timeLimit(.minutes(10)))
struct BackPressureEndTests {
    private typealias Numbers = CallbackSequence<Int, Never>

    /// The pause of a full buffer is running when the consumer is cancelled.
    @Test func `no resumption after the end, and the teardown last`() {
        let log = Log<String>()
        let (sequence, sink) = Numbers.makeSequence(buffering: .watermark(low: 0, high: 1))
        let consumer = HandDriven { for await _ in sequence {} }
        consumer.turn()
        sink.onTermination { log("teardown \($0)") }
        sink.onBackPressure(
            pause: {
                log("pause begins")
                consumer.cancel()
                consumer.turn()
                log("pause ends")
            },
            resume: { log("resume") }
        )
        // The first wakes the consumer, the second fills the buffer.
        sink.yield(0)
        sink.yield(1)
        #expect(log.all == ["pause begins", "pause ends", "teardown cancelled"])
    }

    /// The resumption runs when the source finishes.
    @Test func `a source that finishes while it is resumed is torn down after that`() {
        let log = Log<String>()
        let (sequence, sink) = Numbers.makeSequence(buffering: .watermark(low: 0, high: 1))
        sink.onTermination { log("teardown \($0)") }
        sink.onBackPressure(
            pause: { log("pause") },
            resume: {
                log("resume begins")
                sink.yield(1)
                sink.finish()
                log("resume ends")
            }
        )
        sink.yield(0)
        let consumer = HandDriven { for await _ in sequence {} }
        consumer.turn()
        #expect(log.all == ["pause", "resume begins", "resume ends", "teardown finished"])
        #expect(consumer.hasEnded)
    }

    /// A teardown that is installed while an action runs, after the end, waits for the action as well.
    @Test func `a teardown that is installed during an action comes after it`() {
        let log = Log<String>()
        let (sequence, sink) = Numbers.makeSequence(buffering: .watermark(low: 0, high: 1))
        sink.onBackPressure(
            pause: {
                sink.finish()
                sink.onTermination { log("teardown \($0)") }
                log("pause ends")
            },
            resume: { log("resume") }
        )
        sink.yield(0)
        #expect(log.all == ["pause ends", "teardown finished"])
        withExtendedLifetime(sequence) {}
    }

    /// The same for the action of a source that looks at what `yield` answers.
    @Test func `a source that finishes while it is told of demand is torn down after that`() {
        let log = Log<String>()
        let (sequence, sink) = Numbers.makeSequence(buffering: .watermark(low: 0, high: 1))
        sink.onTermination { log("teardown \($0)") }
        sink.onDemand {
            log("demand begins")
            sink.finish()
            log("demand ends")
        }
        sink.yield(0)
        let consumer = HandDriven { for await _ in sequence {} }
        consumer.turn()
        #expect(log.all == ["demand begins", "demand ends", "teardown finished"])
    }
}

@Suite("CallbackSequence: actions of the source and its end, under stress", .serialized, .timeLimit(.minutes(60)))
struct BackPressureEndStressTests {
    /// A source that yields as long as it is taken, while its consumer is cancelled.
    @Test func `the teardown is the last that the source hears`() async {
        let wrong = Log<String>()
        for round in 0..<max(1, Stress.iterations / 4) {
            let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence(buffering: .watermark(low: 0, high: 1))
            let (isTornDown, isRunning) = (Flag(), Flag())
            let act: @Sendable () -> Void = {
                isRunning.set()
                if isTornDown.value { wrong("\(round): an action after it") }
                isRunning.set(false)
            }
            sink.onTermination { _ in
                isTornDown.set()
                if isRunning.value { wrong("\(round): an action beside it") }
            }
            sink.onBackPressure(pause: act, resume: act)
            let consumer = Task { for await _ in sequence {} }
            // On a thread of its own, and not forever: a task that yields on and on keeps others from the pool's few
            // threads, the one among them that is to cancel the consumer.
            async let source: Void = onThread {
                for number in 0..<10_000 where sink.yield(number) == .terminated { return }
            }
            await Task.yield()
            consumer.cancel()
            await source
            await consumer.value
        }
        #expect(wrong.all.isEmpty, "\(wrong.all.prefix(3)) of \(wrong.count)")
    }
}
