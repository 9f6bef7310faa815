// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@Suite("Event loops' futures and CoFuture, both ways", .timeLimit(.minutes(10)))
struct FutureCrossingTests {
    @Test
    func `a CoFuture of an event loop's future, early and late`() throws {
        let loop = EmbeddedEventLoop()
        #expect(try loop.makeSucceededFuture(1).coFuture().result?.get() == 1)
        let failed: EventLoopFuture<Int> = loop.makeFailedFuture(LoopError())
        #expect(throws: LoopError()) { try failed.coFuture().result?.get() }
        let promise = loop.makePromise(of: Int.self)
        let future = promise.futureResult.coFuture()
        #expect(!future.isSettled)
        promise.succeed(2)
        #expect(try future.result?.get() == 2)
    }

    @Test
    func `cancelling the CoFuture stops the work once, and leaves the event loop's future alone`() throws {
        let loop = EmbeddedEventLoop()
        let cancels = Count()
        let promise = loop.makePromise(of: Int.self)
        let (first, second) = (promise.futureResult.coFuture { cancels.add() }, promise.futureResult.coFuture())
        first.cancel()
        first.cancel()
        #expect(first.isCancelled && cancels.value == 1)
        promise.succeed(3)
        #expect(try second.result?.get() == 3)
        #expect(first.isCancelled)
        second.cancel()
        #expect(cancels.value == 1)
    }

    @Test
    func `an event loop's future of a CoFuture, early and late, from any thread`() async throws {
        try await withLoops { group in
            let loop = group.next()
            let early = try await CoFuture(result: .success(1)).eventLoopFuture(on: loop).get()
            #expect(early == 1)
            let promise = CoPromise<Int>()
            let future = promise.eventLoopFuture(on: loop).map { value in
                loop.assertInEventLoop()
                return value + 1
            }
            promise.success(2)
            let late = try await future.get()
            #expect(late == 3)
            let failing = CoPromise<Int>()
            let failed = failing.eventLoopFuture(on: loop)
            failing.fail(LoopError())
            await #expect(throws: LoopError()) { try await failed.get() }
        }
    }

    @Test
    func `it always gets a result: also if the CoFuture is cancelled, or a promise that is dropped`() async throws {
        try await withLoops { group in
            let loop = group.next()
            let promise = CoPromise<Int>()
            let cancelled = promise.eventLoopFuture(on: loop)
            promise.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.get() }
            let dropped = CoPromise<Int>().eventLoopFuture(on: loop)
            await #expect(throws: CoFutureError.self) { try await dropped.get() }
        }
    }

    @Test
    func `an async function as an event loop's future`() async throws {
        try await withLoops { group in
            let loop = group.next()
            let value = try await loop.future {
                await Task.yield()
                return 4
            }
            .map { value in
                loop.assertInEventLoop()
                return value
            }
            .get()
            #expect(value == 4)
            let failed = loop.future { () async throws -> Int in throw LoopError() }
            await #expect(throws: LoopError()) { try await failed.get() }
        }
    }

    @Test(arguments: [true, false])
    func `a scope cancels the function, and the future fails at once`(isReleased: Bool) async throws {
        try await withLoops { group in
            var scope: CoScope? = CoScope()
            let (begun, cancelled) = (Flag(), CoPromise<Void>())
            let future = group.next().future(in: scope) {
                await withTaskCancellationHandler {
                    begun.set()
                    while !Task.isCancelled { await Task.yield() }
                } onCancel: {
                    cancelled.success(())
                }
            }
            await until { begun.value }
            if isReleased { scope = nil } else { scope?.cancel() }
            await #expect(throws: CancellationError.self) { try await future.get() }
            try await cancelled.value
        }
    }

    @Test
    func `a cancelled scope starts nothing`() async throws {
        try await withLoops { group in
            let (loop, scope, starts) = (group.next(), CoScope(), Count())
            scope.cancel()
            for _ in 0..<200 {
                let future = loop.future(in: scope) { starts.add() }
                await #expect(throws: CancellationError.self) { try await future.get() }
            }
            await earlierTasksHaveBegun()
            #expect(starts.value == 0)
        }
    }

    @Test
    func `a branch of a selection`() async throws {
        let loop = EmbeddedEventLoop()
        let (never, ready) = (loop.makePromise(of: Int.self), loop.makeSucceededFuture("ready"))
        let chosen = try await select(
            .value(of: never.futureResult.coFuture()) { "\($0)" },
            .value(of: ready.coFuture()) { $0 }
        )
        #expect(chosen == "ready")
        never.succeed(0)
    }

    @Test
    func `the future of a loop that was shut down fails, with a closure for cancellation and without`() async throws {
        let future = try await withLoops { group in group.next().makeSucceededFuture(1) }
        await #expect(throws: EventLoopError.self) { try await future.coFuture().value }
        let stops = Count()
        await #expect(throws: EventLoopError.self) { try await future.coFuture(onCancel: { stops.add() }).value }
        await #expect(throws: EventLoopError.self) { try await withCoroutine { try future.coFuture().await() } }
        #expect(stops.value == 0)
    }
}
#endif
