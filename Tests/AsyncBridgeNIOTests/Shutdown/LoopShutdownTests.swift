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
import Synchronization
import Testing

/// What waits for an event loop ends with it.
@Suite("The shutdown of an event loop", .timeLimit(.minutes(10)))
struct LoopShutdownTests {
    /// Promises that get no result: NIO ends a debug build in which one is released.
    private static let kept = Mutex<[EventLoopPromise<Int>]>([])

    private static func heldPromise(on loop: any EventLoop) -> EventLoopPromise<Int> {
        let promise = loop.makePromise(of: Int.self)
        self.kept.withLock { $0.append(promise) }
        return promise
    }

    /// A loop that was shut down, and a future of it that has its result.
    private static func endedLoop() async throws -> (any EventLoop, EventLoopFuture<Int>) {
        try await withLoops { group in
            let loop = group.next()
            return (loop, loop.makeSucceededFuture(1))
        }
    }

    // MARK: Waiting for futures

    @Test
    func `a CoFuture whose promise is held fails, with a closure for cancellation and without`() async throws {
        let stops = Count()
        let (first, second) = try await withLoops { group in
            let future = Self.heldPromise(on: group.next()).futureResult
            return (future.coFuture(), future.coFuture { stops.add() })
        }
        await #expect(throws: EventLoopError.shutdown) { try await first.value }
        await #expect(throws: EventLoopError.shutdown) { try await second.value }
        #expect(stops.value == 0)
    }

    @Test
    func `a CoFuture made on the loop, whose promise is held, fails`() async throws {
        let future = try await withLoops { group in
            let loop = group.next()
            return try await loop.submit { Self.heldPromise(on: loop).futureResult.coFuture() }.value()
        }
        await #expect(throws: EventLoopError.shutdown) { try await future.value }
    }

    @Test(arguments: 0..<3, [false, true])
    func `a task that waits for a future whose promise is held goes on`(policy: UInt, isOnLoop: Bool) async throws {
        let policies = [EventLoopWaitPolicy.ignore, .abandon, .propagate(cancel: { Issue.record("not cancelled") })]
        let line = 1000 + policy * 2 + (isOnLoop ? 1 : 0)
        BridgeDiagnostics.tracksPendingWaits = true
        let task = try await withLoops { group in
            let loop = group.next()
            let future = Self.heldPromise(on: loop).futureResult
            let task = Task(executorPreference: isOnLoop ? loop.taskExecutor : nil) {
                do {
                    _ = try await future.value(cancellation: policies[Int(policy)], fileID: #fileID, line: line)
                    return nil as (any Error)?
                } catch {
                    return error
                }
            }
            let site = CallSite(fileID: #fileID, line: line)
            await until { BridgeDiagnostics.pendingWaits.contains { $0.made == site } }
            // Work of the loop that was given to it before has been done; a task on the loop ends with it.
            try await loop.submit {}.value()
            return isOnLoop ? nil : task
        }
        if let task { #expect(await task.value as? EventLoopError == .shutdown) }
    }

    /// If it were, that would be a second answer, which ends this process.
    @Test
    func `a task on the loop that has its result is not told of the end`() async {
        await #expect(processExitsWith: .success) {
            BridgeDiagnostics.policy = .trap
            try await withLoops { group in
                let loop = group.next()
                let promise = loop.makePromise(of: Int.self)
                let future = promise.futureResult
                BridgeDiagnostics.tracksPendingWaits = true
                let task = Task(executorPreference: loop.taskExecutor) { try await future.value() }
                await until { !BridgeDiagnostics.pendingWaits.isEmpty }
                promise.succeed(7)
                let value = try await task.value
                #expect(value == 7)
            }
        }
    }

    @Test(arguments: 0..<3)
    func `a wait for a future of a loop that was shut down fails`(policy: Int) async throws {
        let policies = [EventLoopWaitPolicy.ignore, .abandon, .propagate(cancel: { Issue.record("not cancelled") })]
        let (_, future) = try await Self.endedLoop()
        await #expect(throws: EventLoopError.shutdown) { try await future.value(cancellation: policies[policy]) }
    }

    @Test
    func `a CoFuture of a future of a loop that was shut down fails`() async throws {
        let (_, future) = try await Self.endedLoop()
        await #expect(throws: EventLoopError.shutdown) { try await future.coFuture().value }
    }

    @Test
    func `a coroutine on the loop that waits there goes on there`() async throws {
        let seen = Collected<String>()
        try await withLoops { group in
            let loop = group.next()
            let future = Self.heldPromise(on: loop).futureResult
            loop.scheduler.startCoroutine {
                do { _ = try future.coFuture().await() } catch {
                    seen.append("\(error as? EventLoopError == .shutdown) \(loop.inEventLoop)")
                }
            }
            // The coroutine has begun, and waits.
            try await loop.submit {}.value()
        }
        #expect(seen.all == ["true true"])
    }

    @Test
    func `results that come before the shutdown count`() async throws {
        let futures = try await withLoops { group in
            let loop = group.next()
            let promises = (0..<100).map { _ in loop.makePromise(of: Int.self) }
            let futures = promises.map { $0.futureResult.coFuture() }
            for index in [50, 3, 99, 0] { promises[index].succeed(index) }
            let more = Self.heldPromise(on: loop).futureResult.coFuture()
            for promise in promises { promise.succeed(-1) }
            return futures + [more]
        }
        for (index, future) in futures.dropLast().enumerated() {
            let value = try await future.value
            #expect(value == ([50, 3, 99, 0].contains(index) ? index : -1))
        }
        await #expect(throws: EventLoopError.shutdown) { try await futures[100].value }
    }

    // MARK: Futures handed out

    @Test
    func `a write and a removal of a bridge whose loop was shut down fail`() async throws {
        let lines = try await withConnection { server, _ in server }
        // NIO ends a debug build in which a promise is released without a result.
        await #expect(throws: EventLoopError.shutdown) { try await lines.write("x").value() }
        await #expect(throws: EventLoopError.shutdown) { try await lines.remove { _, _ in }.value() }
        await #expect(throws: ChannelError.ioOnClosedChannel) { try await lines.outbound.send("x") }
    }

    @Test
    func `an event loop's future of a CoFuture fails, and its callbacks run on the loop`() async throws {
        let promise = CoPromise<Int>()
        let seen = Collected<String>()
        let future = try await withLoops { group in
            let loop = group.next()
            let future = promise.eventLoopFuture(on: loop)
            future.whenFailure { seen.append("\($0 as? EventLoopError == .shutdown) \(loop.inEventLoop)") }
            return future
        }
        #expect(seen.all == ["true true"])
        await #expect(throws: EventLoopError.shutdown) { try await future.value() }
        // Too late: not even said.
        promise.success(1)
    }

    @Test
    func `an event loop's future of a CoFuture, on a loop that was shut down, is a failed one`() async throws {
        let (loop, _) = try await Self.endedLoop()
        let promise = CoPromise<Int>()
        let future = promise.eventLoopFuture(on: loop)
        await #expect(throws: EventLoopError.shutdown) { try await future.value() }
        promise.success(1)
    }

    @Test
    func `the task of a future is cancelled with its loop`() async throws {
        let (begun, cancelled) = (Flag(), CoPromise<Void>())
        let future = try await withLoops { group in
            let future = group.next().future {
                await withTaskCancellationHandler {
                    begun.set()
                    while !Task.isCancelled { await Task.yield() }
                } onCancel: {
                    cancelled.success(())
                }
            }
            await until { begun.value }
            return future
        }
        try await cancelled.value
        await #expect(throws: EventLoopError.shutdown) { try await future.value() }
    }

    @Test
    func `the task of a future of a loop that was shut down is not started`() async throws {
        let (loop, _) = try await Self.endedLoop()
        let starts = Count()
        let futures = (0..<100).map { _ in loop.future { starts.add() } }
        for future in futures { await #expect(throws: EventLoopError.shutdown) { try await future.value() } }
        await earlierTasksHaveBegun()
        #expect(starts.value == 0)
    }

    // MARK: Coroutines

    @Test
    func `a coroutine started on a loop that was shut down reports it`() async throws {
        let (loop, _) = try await Self.endedLoop()
        let errors = Collected<String>()
        let record: @Sendable (any Error) -> Void = { errors.append("\($0 as? EventLoopError == .shutdown)") }
        let first = loop.scheduler.startCoroutine(onError: record) { Issue.record("the loop does not run") }
        try await withCallback { callback in first.whenComplete { callback.resume() } }
        #expect(errors.all == ["true"])
        let serial = SerialScheduler(on: loop.scheduler)
        let second = serial.startCoroutine(onError: record) { Issue.record("the loop does not run") }
        try await withCallback { callback in second.whenComplete { callback.resume() } }
        #expect(errors.all == ["true", "true"])
        let future = loop.scheduler.coroutineFuture { 1 }
        await #expect(throws: EventLoopError.shutdown) { try await future.value }
    }

    @Test
    func `a cancelled coroutine on a loop that was shut down reports nothing`() async throws {
        let (loop, _) = try await Self.endedLoop()
        let scope = CoScope()
        scope.cancel()
        let coroutine = loop.scheduler.startCoroutine(in: scope, onError: { Issue.record($0) }) {
            Issue.record("it was cancelled")
        }
        try await withCallback { callback in coroutine.whenComplete { callback.resume() } }
    }

    // MARK: Silent loops

    /// NIO closes only channels that are registered with the loop.
    @Test
    func `a bridge ends whose channel is not registered yet`() async throws {
        try await withLoops { server in
            let listener = try await ServerBootstrap(group: server).bind(host: "127.0.0.1", port: 0).value()
            let address = try #require(listener.localAddress)
            let bridge = try await withLoops { group in
                let bridge = CoPromise<BridgedChannel<ByteBuffer, ByteBuffer>>()
                let connecting = ClientBootstrap(group: group)
                    .channelInitializer { channel in
                        bridge.complete(
                            with: Result { try channel.bridge(inbound: ByteBuffer.self, outbound: ByteBuffer.self) }
                        )
                        return Self.heldPromise(on: channel.eventLoop).futureResult.map { _ in }
                    }
                    .connect(to: address)
                let made = try await bridge.value
                withExtendedLifetime(connecting) {}
                return made
            }
            for try await _ in bridge.inbound { Issue.record("Something came from a channel that was never active") }
            await #expect(throws: EventLoopError.shutdown) { try await bridge.outbound.send(ByteBuffer()) }
            try await listener.close().value()
        }
    }

    @Test
    func `an embedded loop is not shut down when its channel finishes`() throws {
        let channel = EmbeddedChannel()
        for _ in 0..<2 {
            let promise = channel.embeddedEventLoop.makePromise(of: Int.self)
            let future = promise.futureResult.coFuture()
            _ = try channel.finish(acceptAlreadyClosed: true)
            #expect(!future.isSettled)
            promise.succeed(1)
            #expect(try future.result?.get() == 1)
        }
    }

    @Test
    func `a testing loop gives its results after its shutdown`() async throws {
        let loop = NIOAsyncTestingEventLoop()
        let promise = loop.makePromise(of: Int.self)
        let early = promise.futureResult.coFuture()
        try await loop.submit {}.value()
        #expect(!early.isSettled)
        promise.succeed(1)
        let value = try await early.value
        #expect(value == 1)
        await loop.shutdownGracefully()
    }
}
#endif
