// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Synchronization
import Testing

/// A hundred thousand coroutines are alive at once, and none writes into the frame of another.
@Suite("Many coroutines", .serialized, .timeLimit(.minutes(60)))
struct ManyCoroutinesStressTests {
    static let count = StressScale.alive(100_000)

    /// How many are alive, now and at most, and how many found their frame changed.
    final class Census: Sendable {
        private struct Counts {
            var alive = 0
            var most = 0
            var ended = 0
            var damaged = 0
        }

        private let counts = Mutex(Counts())

        func begin() {
            self.counts.withLock { counts in
                counts.alive += 1
                counts.most = max(counts.most, counts.alive)
            }
        }

        func end() {
            self.counts.withLock { counts in
                counts.alive -= 1
                counts.ended += 1
            }
        }

        func damage() { self.counts.withLock { $0.damaged += 1 } }

        var most: Int { self.counts.withLock { $0.most } }
        var ended: Int { self.counts.withLock { $0.ended } }
        var damaged: Int { self.counts.withLock { $0.damaged } }
    }

    /// Fills a frame with numbers of its own, waits in frames below it, and counts up after each wait.
    private static func live(_ number: Int, rounds: Int, _ census: Census, _ wait: (Int) throws -> Void) rethrows {
        census.begin()
        defer { census.end() }
        try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { frame in
            var expected = SplitMix(seed: UInt64(number))
            for index in frame.indices { frame[index] = expected.next() }
            for round in 0..<rounds {
                try self.descend(3) { try wait(round) }
                var expected = SplitMix(seed: UInt64(number))
                for index in frame.indices where frame[index] != expected.next() &+ UInt64(round) {
                    census.damage()
                    return
                }
                for index in frame.indices { frame[index] &+= 1 }
            }
        }
    }

    @inline(never)
    private static func descend(_ depth: Int, _ body: () throws -> Void) rethrows {
        let before = depth
        if depth == 0 { try body() } else { try self.descend(depth - 1, body) }
        precondition(before == depth)
    }

    @Test func `on a scheduler`() {
        let (scheduler, census) = (ManualScheduler(), Census())
        for number in 0..<Self.count {
            scheduler.startCoroutine(stackSize: StackSize(kibibytes: 64)) {
                try Self.live(number, rounds: 3, census) { _ in try Coroutine.yield() }
            }
        }
        scheduler.run()
        #expect(census.most == Self.count)
        #expect(census.ended == Self.count)
        #expect(census.damaged == 0)
    }

    /// Resumed by the threads of Swift's pool, whichever is free.
    @Test func `in tasks`() async throws {
        let (arrival, departure) = (Gate(), Gate())
        let census = Census()
        let count = Self.count
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await withCoroutine(stackSize: StackSize(kibibytes: 64)) {
                        try Self.live(number, rounds: 3, census) { round in
                            switch round {
                            case 0: try Coroutine.await { try await arrival.pass() }
                            case 1: try Coroutine.yield()
                            default: try Coroutine.await { try await departure.pass() }
                            }
                        }
                    }
                }
            }
            try await arrival.arrivals(atLeast: count)
            arrival.open()
            try await departure.arrivals(atLeast: count)
            departure.open()
            try await group.waitForAll()
        }
        #expect(census.most == count)
        #expect(census.ended == count)
        #expect(census.damaged == 0)
    }
}
