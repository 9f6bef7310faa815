// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncAlgorithms
import AsyncBridge
import BenchmarkSupport

/// Elements that are pushed, through a sequence.
enum SequenceBenchmarks {
    static let contests = [Self.oneTask, Self.twoTasks, Self.backPressured]

    /// How many elements are in the buffer before the first is taken out.
    private static let batch = 1000

    private static let oneTask = Contest(
        "CallbackSequence, an element, 1000 yielded and then consumed",
        operations: 1_000_000,
        [
            .ours("CallbackSequence", .against("AsyncStream", atMost: 0.5)) { elements in
                for _ in 0..<max(1, elements / Self.batch) {
                    let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence()
                    for element in 0..<Self.batch { sink.yield(element) }
                    sink.finish()
                    var sum = 0
                    for await element in sequence { sum &+= element }
                    keep(sum)
                }
            },
            .peer("AsyncStream") { elements in
                for _ in 0..<max(1, elements / Self.batch) {
                    let (stream, continuation) = AsyncStream<Int>.makeStream()
                    for element in 0..<Self.batch { continuation.yield(element) }
                    continuation.finish()
                    var sum = 0
                    for await element in stream { sum &+= element }
                    keep(sum)
                }
            },
        ]
    )

    private static let twoTasks = Contest(
        "CallbackSequence, an element, from a producer's task to a consumer's, unbounded",
        operations: 100_000,
        [
            .ours("CallbackSequence", .against("AsyncStream", atMost: 0.5)) { elements in
                let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence()
                async let produced: Void = {
                    for element in 0..<elements { sink.yield(element) }
                    sink.finish()
                }()
                var sum = 0
                for await element in sequence { sum &+= element }
                keep(sum)
                await produced
            },
            .peer("AsyncStream") { elements in
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                async let produced: Void = {
                    for element in 0..<elements { continuation.yield(element) }
                    continuation.finish()
                }()
                var sum = 0
                for await element in stream { sum &+= element }
                keep(sum)
                await produced
            },
        ]
    )

    private static let backPressured = Contest(
        "CallbackSequence, an element, from a producer's task to a consumer's, back-pressured",
        operations: 100_000,
        [
            .ours(
                "CallbackSequence, send, 8 to 64",
                .against("AsyncChannel", atMost: 0.5),
                .against("MultiProducerSingleConsumerAsyncChannel, 8 to 64", atMost: 0.5)
            ) { elements in
                let (sequence, sink) = CallbackSequence<Int, Never>.makeSequence(
                    buffering: .watermark(low: 8, high: 64)
                )
                async let produced: Void = {
                    for element in 0..<elements { try await sink.send(element) }
                    sink.finish()
                }()
                var sum = 0
                for await element in sequence { sum &+= element }
                keep(sum)
                try await produced
            },
            .peer("MultiProducerSingleConsumerAsyncChannel, 8 to 64") { elements in
                typealias Channel = MultiProducerSingleConsumerAsyncChannel<Int, Never>
                var made = Channel.makeChannel(backpressureStrategy: .watermark(low: 8, high: 64))
                var channel = made.takeChannel()
                // Safe: only the producer uses it. A closure may not take what cannot be copied out of its captures.
                nonisolated(unsafe) var source: Channel.Source? = made.source
                async let produced: Void = {
                    guard var source = source.take() else { return }
                    for element in 0..<elements { try await source.send(element) }
                    source.finish()
                }()
                var sum = 0
                while let element = await channel.next() { sum &+= element }
                keep(sum)
                try await produced
            },
            .peer("AsyncChannel") { elements in
                let channel = AsyncChannel<Int>()
                async let produced: Void = {
                    for element in 0..<elements { await channel.send(element) }
                    channel.finish()
                }()
                var sum = 0
                for await element in channel { sum &+= element }
                keep(sum)
                await produced
            },
        ]
    )
}
