// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncAlgorithms
import BenchmarkSupport
import Coroutines
import Dispatch

/// Elements from a sender to a receiver.
enum ChannelContests {
    private static let types: [(name: String, type: BufferingPolicy)] = [
        ("no buffer", .rendezvous),
        ("1", .bounded(capacity: 1)),
        ("64", .bounded(capacity: 64)),
        ("unbounded", .unbounded),
        ("newest", .newest(capacity: 1)),
    ]

    // MARK: The contests

    // Peers that do the same work, between two tasks: there is no other library whose coroutines work.
    static let betweenCoroutines = Self.types.map { name, type in
        Contest(
            "CoChannel, an element between two coroutines, \(name)",
            operations: 100_000,
            [
                .ours("CoChannel, one scheduler", Self.comparison(of: type, atMost: 1.0 / 6)) { elements in
                    try await Self.pass(elements, type, SerialScheduler())
                },
                .ours("CoChannel, serial queue", Self.comparison(of: type)) { elements in
                    try await Self.pass(elements, type, DispatchQueue(label: "benchmark"))
                },
            ] + [Self.peer(of: type)]
        )
    }

    static let betweenTasks = Self.types.map { name, type in
        Contest(
            "CoChannel, an element between two tasks, \(name)",
            operations: 100_000,
            [
                .ours("CoChannel", Self.comparison(of: type, atMost: type.isRendezvous ? 0.2 : 1 / 1.5)) { elements in
                    let channel = CoChannel<Int>(buffering: type)
                    async let produced: Void = {
                        for element in 0..<elements { try await channel.send(element) }
                        channel.close()
                    }()
                    var sum = 0
                    for try await element in channel { sum &+= element }
                    keep(sum)
                    try await produced
                }
            ] + [Self.peer(of: type)]
        )
    }

    static let mixed = Self.types.map { name, type in
        Contest(
            "CoChannel, an element from a coroutine to a task, \(name)",
            operations: 100_000,
            [
                .ours("CoChannel, a queue of its own", Self.comparison(of: type)) { elements in
                    try await Self.passToTask(elements, type, DispatchQueue(label: "benchmark"))
                },
                .ours(
                    "CoChannel, a queue on the pool",
                    Self.comparison(of: type, atMost: type.isRendezvous ? 1 : nil)
                ) { elements in
                    let queue = DispatchQueue(label: "benchmark", target: .global())
                    try await Self.passToTask(elements, type, queue)
                },
            ] + [Self.peer(of: type)]
        )
    }

    private static func passToTask(
        _ elements: Int,
        _ type: BufferingPolicy,
        _ queue: DispatchQueue
    ) async throws {
        let channel = CoChannel<Int>(buffering: type)
        let produced = queue.coroutineFuture {
            for element in 0..<elements { try channel.awaitSend(element) }
            channel.close()
        }
        var sum = 0
        for try await element in channel { sum &+= element }
        keep(sum)
        try await produced.value
    }

    private static func pass(
        _ elements: Int,
        _ type: BufferingPolicy,
        _ scheduler: some CoroutineScheduler
    ) async throws {
        let channel = CoChannel<Int>(buffering: type)
        scheduler.startCoroutine {
            for element in 0..<elements { try channel.awaitSend(element) }
            channel.close()
        }
        let sum = scheduler.coroutineFuture { () -> Int in
            var sum = 0
            do { while true { sum &+= try channel.awaitReceive() } } catch CoChannelError.closed { return sum }
        }
        keep(try await sum.value)
    }

    // MARK: The peers

    private static let channelName = "AsyncChannel"
    private static let watermarkName = "MultiProducerSingleConsumerAsyncChannel, 8 to 64"
    private static let streamName = "AsyncStream"
    private static let newestName = "AsyncStream, newest"

    private static func comparison(
        of type: BufferingPolicy,
        atMost limit: Double? = nil
    ) -> Entrant.Comparison {
        switch type {
        case .bounded(capacity: 0), .bounded(capacity: 1): .against(self.channelName, atMost: limit)
        case .bounded: .against(self.watermarkName, atMost: limit)
        case .unbounded: .against(self.streamName, atMost: limit)
        case .newest(capacity: 1): .against(self.newestName, atMost: limit)
        case .watermark, .newest, .oldest, .failing: self.noPeer(of: type)
        @unknown default: self.noPeer(of: type)
        }
    }

    private static func peer(of type: BufferingPolicy) -> Entrant {
        switch type {
        case .bounded(capacity: 0), .bounded(capacity: 1): self.asyncChannel
        case .bounded: self.watermark
        case .unbounded: self.stream(self.streamName, .unbounded)
        case .newest(capacity: 1): self.stream(self.newestName, .bufferingNewest(1))
        case .watermark, .newest, .oldest, .failing: self.noPeer(of: type)
        @unknown default: self.noPeer(of: type)
        }
    }

    private static func noPeer(of type: BufferingPolicy) -> Never {
        preconditionFailure("No peer is known for a buffer like \(type)")
    }

    private static let asyncChannel = Entrant.peer(Self.channelName) { elements in
        let channel = AsyncChannel<Int>()
        async let produced: Void = {
            for element in 0..<elements { await channel.send(element) }
            channel.finish()
        }()
        var sum = 0
        for await element in channel { sum &+= element }
        keep(sum)
        await produced
    }

    private static let watermark = Entrant.peer(Self.watermarkName) { elements in
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
    }

    private static func stream(
        _ name: String,
        _ policy: AsyncStream<Int>.Continuation.BufferingPolicy
    ) -> Entrant {
        .peer(name) { elements in
            let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: policy)
            async let produced: Void = {
                for element in 0..<elements { continuation.yield(element) }
                continuation.finish()
            }()
            var sum = 0
            for await element in stream { sum &+= element }
            keep(sum)
            await produced
        }
    }
}

extension BufferingPolicy {
    fileprivate var isRendezvous: Bool {
        self == .rendezvous
    }
}
