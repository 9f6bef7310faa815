// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

@Suite("share() under stress", .serialized, .timeLimit(.minutes(60)))
struct SequenceShareStressTests {
    /// Numbers from 0 on, without an end.
    private struct Numbers: AsyncSequence, Sendable {
        typealias Failure = Never
        typealias Element = Int
        let live: Live

        final class Live: Sendable {
            let iterators = Atomic(0)
            let most = Atomic(0)
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            private final class Token: Sendable {
                let live: Live

                init(_ live: Live) {
                    self.live = live
                    let count = live.iterators.add(1, ordering: .relaxed).newValue
                    live.most.max(count, ordering: .relaxed)
                }

                deinit { self.live.iterators.subtract(1, ordering: .relaxed) }
            }

            private let token: Token
            private var number = -1

            init(_ live: Live) { self.token = Token(live) }

            mutating func next() async -> Int? {
                await Task.yield()
                self.number += 1
                return Task.isCancelled ? nil : self.number
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self.live) }
    }

    @Test(arguments: [
        BufferingPolicy.unbounded, .watermark(low: 0, high: 1), .watermark(low: 2, high: 8),
    ]
    )
    func `consumers that come and go get elements without a gap`(_ buffering: BufferingPolicy) async {
        let live = Numbers.Live()
        let rounds = max(1, Stress.iterations / 40)
        let shared = Numbers(live: live).share(buffering: buffering)
        await withTaskGroup(of: (gaps: Int, received: Int).self) { group in
            for consumer in 0..<4 {
                group.addTask {
                    var (gaps, received) = (0, 0)
                    for round in 0..<rounds {
                        var last: Int?
                        var count = 0
                        for await number in shared {
                            if let last, number != last + 1 { gaps += 1 }
                            last = number
                            count += 1
                            if count == 1 + (round + consumer) % 5 { break }
                        }
                        received += count
                    }
                    return (gaps, received)
                }
            }
            for await result in group {
                #expect(result.gaps == 0)
                #expect(result.received >= rounds)
            }
        }
        await until { live.iterators.load(ordering: .relaxed) == 0 }
        #expect(live.most.load(ordering: .relaxed) >= 1)
    }

    @Test func `cancelled consumers leave the others alone`() async {
        let live = Numbers.Live()
        let shared = Numbers(live: live).share(buffering: .watermark(low: 0, high: 2))
        let goal = max(1, Stress.iterations / 20)
        let steady = Task {
            var (gaps, count) = (0, 0)
            var last: Int?
            for await number in shared {
                if let last, number != last + 1 { gaps += 1 }
                last = number
                count += 1
                if count == goal { break }
            }
            return (gaps: gaps, count: count)
        }
        let isDone = Atomic(false)
        let churn = Task {
            var rounds = 0
            while !isDone.load(ordering: .relaxed) {
                let consumer = Task { for await _ in shared {} }
                await Task.yield()
                consumer.cancel()
                await consumer.value
                rounds += 1
            }
            return rounds
        }
        let result = await steady.value
        isDone.store(true, ordering: .relaxed)
        #expect(result.gaps == 0)
        #expect(result.count == goal)
        #expect(await churn.value > 0)
        await until { live.iterators.load(ordering: .relaxed) == 0 }
    }
}
