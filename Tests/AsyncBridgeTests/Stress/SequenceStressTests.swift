// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

/// Threads and tasks against each other: nothing lost, nothing twice, each producer's order kept, and no hang.
@Suite("Sequences under stress", .serialized, .timeLimit(.minutes(60)))
struct SequenceStressTests {
    /// An element: who made it, and its number there.
    private struct Item: Sendable, Hashable {
        let producer: Int
        let number: Int
    }

    /// Drops are meant here: their reports go to the collecting handler.
    private static let place = Place()

    private typealias Sequence = CallbackSequence<Item, any Error>

    /// Checks what came of elements that were numbered from 0 by each producer.
    private func check(
        _ received: [Item],
        _ undelivered: [Item] = [],
        producers: Int,
        each count: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(received.count + undelivered.count == producers * count, sourceLocation: sourceLocation)
        #expect(Set(received).union(undelivered).count == producers * count, sourceLocation: sourceLocation)
        var last = [Int](repeating: -1, count: producers)
        var disorders = 0
        for item in received {
            if item.number <= last[item.producer] { disorders += 1 }
            last[item.producer] = item.number
        }
        #expect(disorders == 0, sourceLocation: sourceLocation)
    }

    private static let policies: [BufferingPolicy] = [
        .unbounded,
        .newest(capacity: 4), .oldest(capacity: 4),
        .watermark(low: 0, high: 1), .watermark(low: 8, high: 32),
    ]

    @Test(arguments: policies)
    func `threads that yield, and one consumer`(_ buffering: BufferingPolicy) async throws {
        let (producers, count) = (3, Stress.iterations)
        let undelivered = Log<Item>()
        let (sequence, sink) = Sequence.makeSequence(
            buffering: buffering,
            onUndelivered: { undelivered($0) },
            fileID: Place.fileID,
            line: Self.place.line
        )
        let running = Atomic(producers)
        for producer in 0..<producers {
            detachThread {
                for number in 0..<count { sink.yield(Item(producer: producer, number: number)) }
                if running.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { sink.finish() }
            }
        }
        var received: [Item] = []
        for try await item in sequence { received.append(item) }
        self.check(received, undelivered.all, producers: producers, each: count)
        if buffering.overflow != .keep {
            #expect(sink.droppedCount == undelivered.count)
        } else {
            #expect(undelivered.count == 0)
        }
    }

    @Test(arguments: policies)
    func `tasks that send, and one consumer`(_ buffering: BufferingPolicy) async throws {
        let (producers, count) = (3, Stress.iterations)
        let undelivered = Log<Item>()
        let (sequence, sink) = Sequence.makeSequence(
            buffering: buffering,
            onUndelivered: { undelivered($0) },
            fileID: Place.fileID,
            line: Self.place.line
        )
        let received = try await withThrowingTaskGroup(of: [Item].self) { group in
            group.addTask {
                var received: [Item] = []
                for try await item in sequence { received.append(item) }
                return received
            }
            await withTaskGroup(of: Int.self) { senders in
                for producer in 0..<producers {
                    senders.addTask {
                        var refused = 0
                        for number in 0..<count {
                            let isSent = try? await sink.send(Item(producer: producer, number: number))
                            if isSent != true { refused += 1 }
                        }
                        return refused
                    }
                }
                for await refused in senders { #expect(refused == 0) }
            }
            sink.finish()
            return try await group.next() ?? []
        }
        self.check(received, producers: producers, each: count)
        #expect(undelivered.count == 0)
    }

    /// Each task sends one element and may be cancelled before, while it waits, or too late.
    @Test func `senders against cancellation`() async throws {
        let count = Stress.iterations
        let undelivered = Log<Item>()
        let (sequence, sink) = Sequence.makeSequence(
            buffering: .watermark(low: 0, high: 2),
            onUndelivered: { undelivered($0) }
        )
        let consumer = Task {
            var received: [Item] = []
            for try await item in sequence { received.append(item) }
            return received
        }
        var (sent, cancelled) = (0, 0)
        for round in 0..<(count / 4) {
            let senders = (0..<4).map { index in
                Task { try await sink.send(Item(producer: 0, number: round * 4 + index)) }
            }
            for (index, sender) in senders.enumerated() where index % 2 == round % 2 { sender.cancel() }
            for sender in senders {
                switch await sender.result {
                case .success(let isSent):
                    #expect(isSent)
                    sent += 1
                case .failure:
                    cancelled += 1
                }
            }
        }
        sink.finish()
        let received = try await consumer.value
        #expect(received.count == sent)
        #expect(undelivered.count == cancelled)
        #expect(Set(received).union(undelivered.all).count == count / 4 * 4)
    }

    /// The consumer leaves while a thread yields: each element is received, or comes back.
    @Test func `break against yield`() async {
        await Stress.run { racers, round in
            let undelivered = Log<Int>()
            let terminations = Log<SequenceTermination>()
            let (sequence, sink) = CallbackSequence<Int, any Error>.makeSequence(
                buffering: round % 2 == 0 ? .unbounded : .newest(capacity: 2),
                onUndelivered: { undelivered($0) },
                fileID: Place.fileID,
                line: Self.place.line
            )
            sink.onTermination { terminations($0) }
            let received = Log<Int>()
            let consumer = HandDriven {
                try await iterate(sequence.makeAsyncIterator(), taking: 2) { received($0) }
            }
            racers.race({ for element in 0..<6 { sink.yield(element) } }, { consumer.turn() })
            consumer.turn()
            let all = (received.all + undelivered.all).sorted()
            guard consumer.hasEnded, all == [0, 1, 2, 3, 4, 5], terminations.all == [.cancelled] else {
                Issue.record("round \(round): \(received.all), \(undelivered.all), \(terminations.all)")
                return
            }
        }
    }

    /// A consumer is cancelled while an element and the end come, or while it parks.
    @Test func `cancellation against the rest`() async {
        await Stress.run { racers, round in
            let undelivered = Log<Int>()
            let terminations = Log<SequenceTermination>()
            let (sequence, sink) = CallbackSequence<Int, any Error>.makeSequence(onUndelivered: { undelivered($0) })
            sink.onTermination { terminations($0) }
            let received = Log<Int>()
            let consumer = HandDriven {
                try await iterate(sequence.makeAsyncIterator(), taking: .max) { received($0) }
            }
            let comes: @Sendable () -> Void = {
                sink.yield(1)
                sink.finish()
            }
            if round % 2 == 0 {
                consumer.turn()
                racers.race(comes, { consumer.cancel() })
            } else {
                racers.race({ consumer.turn() }, { consumer.cancel() })
                // Cancelled, it ends without the source's help.
                consumer.turn()
                if !consumer.hasEnded { Issue.record("round \(round): a cancelled consumer waits") }
                comes()
            }
            consumer.turn()
            let all = received.all + undelivered.all
            guard consumer.hasEnded, all == [1], terminations.count == 1 else {
                Issue.record("round \(round): \(received.all), \(undelivered.all), \(terminations.all)")
                return
            }
        }
    }

    /// An overflow against a finish: the lost element may not be hidden behind a normal end.
    @Test func `overflow against finish`() async {
        await Stress.run { racers, round in
            let undelivered = Log<Int>()
            let (sequence, sink) = CallbackSequence<Int, any Error>.makeSequence(
                buffering: .failing(capacity: 1),
                onUndelivered: { undelivered($0) },
                fileID: Place.fileID,
                line: Self.place.line
            )
            sink.yield(1)
            let dropped = Atomic(false)
            racers.race(
                { if sink.yield(2) == .dropped { dropped.store(true, ordering: .relaxed) } },
                { sink.finish() }
            )
            let consumer = HandDriven { for try await _ in sequence {} }
            consumer.turn()
            let ended = Result { try consumer.get() }
            let hasFailed = if case .failure = ended { true } else { false }
            guard consumer.hasEnded, undelivered.all == [2], hasFailed == dropped.load(ordering: .relaxed) else {
                Issue.record("round \(round): \(ended), \(undelivered.all)")
                return
            }
        }
    }

    /// A source that pauses when it is told to, and goes on when it is told to, on another thread.
    @Test(arguments: [(0, 1), (1, 4), (8, 32)])
    func `an obedient source is never left paused`(low: Int, high: Int) async throws {
        let count = Stress.iterations
        let (sequence, sink) = CallbackSequence<Int, any Error>.makeSequence(
            buffering: .watermark(low: low, high: high)
        )
        let mayGoOn = Atomic(0)
        sink.onDemand { mayGoOn.add(1, ordering: .acquiringAndReleasing) }
        let fullest = Atomic(0)
        detachThread {
            var pauses = 0
            for element in 0..<count where sink.yield(element) == .acceptedPleasePause {
                fullest.max(sink.bufferedCount, ordering: .relaxed)
                pauses += 1
                spin { mayGoOn.load(ordering: .acquiring) == pauses }
            }
            sink.finish()
        }
        var next = 0
        for try await element in sequence {
            #expect(element == next)
            next += 1
        }
        #expect(next == count)
        // One more may be there for a consumer that was woken and has not run yet.
        #expect(fullest.load(ordering: .relaxed) <= high + 1)
    }
}
