// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@Suite("Coroutines on event loops", .timeLimit(.minutes(10)))
struct EventLoopSchedulerTests {
    @Test
    func `a coroutine runs on its loop, and comes back to it after each kind of wait`() async throws {
        try await withLoops(2) { group in
            let (loop, other) = (group.next(), group.next())
            #expect(loop !== other)
            let sum = try await loop.scheduler.coroutineFuture {
                loop.preconditionInEventLoop()
                var sum = try loop.submit { 1 }.coFuture().await()
                loop.preconditionInEventLoop()
                sum += try other.submit { 2 }.coFuture().await()
                loop.preconditionInEventLoop()
                sum += try Coroutine.await {
                    await Task.yield(); return 3
                }
                loop.preconditionInEventLoop()
                try Coroutine.delay(.milliseconds(1))
                loop.preconditionInEventLoop()
                try Coroutine.yield()
                loop.preconditionInEventLoop()
                return sum
            }
            .value
            #expect(sum == 6)
        }
    }

    @Test
    func `each access of a group's scheduler takes the next loop, and that of a loop is its own`() async throws {
        try await withLoops(2) { group in
            let (first, second) = (group.scheduler, group.scheduler)
            #expect(first.eventLoop !== second.eventLoop)
            #expect(first.eventLoop.scheduler.eventLoop === first.eventLoop)
        }
    }

    @Test
    func `a wait for a future of the same loop goes on inside the call that ends it`() {
        let loop = EmbeddedEventLoop()
        let promise = loop.makePromise(of: Int.self)
        let values = Collected<Int>()
        loop.scheduler.startCoroutine {
            values.append(0)
            values.append(try promise.futureResult.coFuture().await())
            try Coroutine.yield()
            values.append(2)
        }
        // A coroutine begins later, and yields to the loop's other work.
        #expect(values.all.isEmpty)
        loop.run()
        #expect(values.all == [0])
        promise.succeed(1)
        #expect(values.all == [0, 1])
        loop.run()
        #expect(values.all == [0, 1, 2])
    }

    @Test
    func `a limit in the loop's own time ends a selection when the test has advanced it`() {
        let loop = EmbeddedEventLoop()
        let (channel, values) = (CoChannel<Int>(), Collected<Int>())
        for _ in 0..<2 {
            loop.scheduler.startCoroutine {
                let limit = loop.scheduleTask(in: .seconds(1)) {}
                defer { limit.cancel() }
                let value = try select(.receive(from: channel) { $0 }, .value(of: limit.futureResult.coFuture()) { -1 })
                values.append(value)
            }
        }
        loop.run()
        channel.offer(1)
        loop.advanceTime(by: .milliseconds(999))
        #expect(values.all == [1])
        loop.advanceTime(by: .milliseconds(1))
        #expect(values.all == [1, -1])
    }

    @Test
    func `a coroutine that another one wakes goes on after that has begun to wait`() {
        let loop = EmbeddedEventLoop()
        let promise = CoPromise<Int>()
        let values = Collected<Int>()
        loop.scheduler.startCoroutine { values.append(try promise.await()) }
        loop.run()
        loop.scheduler.startCoroutine {
            promise.success(2)
            values.append(1)
        }
        loop.run()
        #expect(values.all == [1, 2])
    }

    @Test
    func `coroutines that wake each other through futures of the loop do not recurse`() throws {
        let loop = EmbeddedEventLoop()
        let count = 10_000
        let promises = (0...count).map { _ in loop.makePromise(of: Int.self) }
        for index in 0..<count {
            loop.scheduler.startCoroutine(stackSize: StackSize(kibibytes: 64)) {
                promises[index + 1].succeed(try promises[index].futureResult.coFuture().await() + 1)
            }
        }
        loop.run()
        promises[0].succeed(0)
        loop.run()
        #expect(try promises[count].futureResult.wait() == count)
    }

    @Test
    func `coroutines on a loop that was shut down are unwound`() async throws {
        let (promise, end) = (CoPromise<Int>(), CoPromise<Void>())
        try await withLoops { group in
            let begun = CoPromise<Void>()
            group.next().scheduler.startCoroutine {
                defer { end.success(()) }
                begun.success(())
                _ = try promise.await()
                Issue.record("it goes on, on a loop that was shut down")
            }
            try await begun.value
        }
        promise.success(1)
        try await end.value
    }

    @Test
    func `a task on a loop's executor stays on it between its waits`() async throws {
        try await withLoops(2) { group in
            let loop = group.next()
            let value = try await Task(executorPreference: loop.taskExecutor) {
                loop.preconditionInEventLoop()
                let first = try await loop.submit { 1 }.value()
                loop.preconditionInEventLoop()
                let second = try await group.next().submit { 2 }.value()
                loop.preconditionInEventLoop()
                return first + second
            }
            .value
            #expect(value == 3)
        }
    }

    @Test
    func `a loop's serial executor is a scheduler too`() async throws {
        try await withLoops { group in
            let loop = group.next()
            let scheduler = SerialExecutorScheduler(loop.executor)
            let isInLoop = try await scheduler.coroutineFuture { loop.inEventLoop }.value
            #expect(isInLoop)
        }
    }
}
#endif
