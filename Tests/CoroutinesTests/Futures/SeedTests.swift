// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

/// What the document that this part was conceived from shows.
@Suite("The seed's examples", .timeLimit(.minutes(10)))
struct SeedTests {
    /// Two futures of two and three units of time, whose sum takes three.
    @Test func `two futures at once`() async throws {
        let clock = TestClock()
        let first = DispatchQueue.global().coroutineFuture { () -> Int in
            try Coroutine.delay(.seconds(2), clock: clock)
            return 5
        }
        let second = DispatchQueue.global().coroutineFuture { () -> Int in
            try Coroutine.delay(.seconds(3), clock: clock)
            return 6
        }
        let sum = DispatchQueue.global().coroutineFuture { try first.await() + second.await() }
        try await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(2))
        #expect(try await first.value == 5)
        #expect(sum.result == nil)
        clock.advance(by: .seconds(1))
        #expect(try await sum.value == 11)
        #expect(clock.now.offset == .seconds(3))
    }

    /// A producer with capacity 1, and a consumer loop.
    @Test func `producer and consumer`() async throws {
        let channel = CoChannel<Int>(buffering: .bounded(capacity: 1))
        DispatchQueue.global().startCoroutine {
            for number in 0..<100 { try channel.awaitSend(number) }
            channel.close()
        }
        let received = DispatchQueue.global().coroutineFuture { Array(channel.makeIterator()) }
        #expect(try await received.value == Array(0..<100))
    }

    @Test func `a scope cancels when it goes away`() async {
        let promise = CoPromise<Int>()
        do {
            let scope = CoScope()
            promise.added(to: scope)
            #expect(promise.result == nil)
        }
        #expect(promise.result != nil)
        #expect(promise.isCancelled)
    }

    /// A scheduler as it was written for SwiftCoroutine.
    private final class Context: CoroutineScheduler, Sendable {
        private let queue = DispatchQueue(label: "context")

        func perform(_ block: @escaping @Sendable () -> Void) { self.queue.async(execute: block) }

        func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.perform(task) }
    }

    @Test func `a scheduler of ones own`() async throws {
        let context = Context()
        let sum = DispatchQueue.global().coroutineFuture { try context.await { 1 + 2 } }
        #expect(try await sum.value == 3)
    }
}
