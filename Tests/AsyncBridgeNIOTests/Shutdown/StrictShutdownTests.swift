// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import Coroutines
import Foundation
import NIOCore
import NIOPosix
import Testing

/// With `SWIFTNIO_STRICT`, NIO ends a process that schedules something on a loop that was shut down.
///
/// So each of these runs in a process of its own, with a loop that was used before its end.
@Suite("Nothing is scheduled on an event loop that was shut down", .timeLimit(.minutes(10)))
struct StrictShutdownTests {
    /// Runs code with a loop, and then other code when it has ended.
    private static func afterShutdown<Value>(
        _ before: (any EventLoop) async throws -> Value,
        _ after: (any EventLoop, Value) async throws -> Void
    ) async throws {
        setenv("SWIFTNIO_STRICT", "1", 1)
        let (loop, value) = try await withLoops { group in
            let loop = group.next()
            return (loop, try await before(loop))
        }
        try await after(loop, value)
    }

    @Test func `NIO ends such a process`() async {
        await #expect(processExitsWith: .failure) {
            try await Self.afterShutdown { _ in
            } _: { loop, _ in
                loop.execute {}
            }
        }
    }

    /// Runs a closure on another thread when a loop tells of its end, and waits for it.
    private struct EndHandler: NIOScheduledCallbackHandler, Sendable {
        let body: @Sendable (any EventLoop) -> Void

        func handleScheduledCallback(eventLoop: some EventLoop) {}

        func didCancelScheduledCallback(eventLoop: some EventLoop) {
            let (done, body) = (DispatchSemaphore(value: 0), self.body)
            let eventLoop: any EventLoop = eventLoop
            Thread.detachNewThread {
                body(eventLoop)
                done.signal()
            }
            done.wait()
        }
    }

    /// So what other threads schedule while the loop is shutting down cannot be kept from it: see
    /// "The end of the loop" of `EventLoopScheduler`.
    @Test func `NIO refuses work of other threads before it tells of its end`() async throws {
        let steps = Collected<String>()
        try await withLoops { group in
            try await group.next().submit {
                let handler = EndHandler { loop in
                    loop.execute { steps.append("accepted") }
                    steps.append("told")
                }
                _ = try group.next().scheduleCallback(at: .distantFuture, handler: handler)
            }.get()
        }
        #expect(steps.all == ["told"])
    }

    @Test func `coroutines that are started, or that wait for something else`() async {
        await #expect(processExitsWith: .success) {
            let (begun, promise, seen) = (CoPromise<Void>(), CoPromise<Int>(), Collected<String>())
            let record: @Sendable (any Error) -> Void = { seen.append("\($0)") }
            try await Self.afterShutdown { loop in
                let waiting = loop.scheduler.startCoroutine(onError: record) {
                    begun.success(())
                    _ = try promise.await()
                }
                try await begun.value
                // The coroutine waits.
                try await loop.submit {}.value()
                return waiting
            } _: { loop, waiting in
                promise.success(1)
                await waiting.finished()
                let started = loop.scheduler.startCoroutine(onError: record) { Issue.record("the loop does not run") }
                await started.finished()
                #expect(seen.all.last == "\(EventLoopError.shutdown)")
            }
        }
    }

    @Test func `futures in both directions`() async {
        await #expect(processExitsWith: .success) {
            try await Self.afterShutdown { loop in
                let future = CoPromise<Int>().eventLoopFuture(on: loop)
                return (future, loop.makeSucceededFuture(1))
            } _: { loop, futures in
                let promise = CoPromise<Int>()
                for _ in 0..<3 {
                    await #expect(throws: EventLoopError.shutdown) { try await futures.0.value() }
                    await #expect(throws: EventLoopError.shutdown) { try await futures.1.coFuture().value }
                    await #expect(throws: EventLoopError.shutdown) {
                        try await promise.eventLoopFuture(on: loop).value()
                    }
                    await #expect(throws: EventLoopError.shutdown) { try await loop.future { 1 }.value() }
                }
                promise.success(1)
            }
        }
    }

    @Test func `a loop of which a scheduler was made, and nothing else`() async {
        await #expect(processExitsWith: .success) {
            try await Self.afterShutdown {
                $0.scheduler
            } _: { loop, _ in
                await #expect(throws: EventLoopError.shutdown) { try await loop.makeSucceededFuture(1).value() }
                await #expect(throws: EventLoopError.shutdown) { try await loop.future { 1 }.value() }
            }
        }
    }

    @Test func `a bridge and a group of connections`() async {
        await #expect(processExitsWith: .success) {
            let connections = ConnectionGroup(grace: .hours(1))
            setenv("SWIFTNIO_STRICT", "1", 1)
            let (server, client) = try await withConnection { server, client in
                connections.add(client.channel)
                return (server, client)
            }
            connections.endGracefully()
            connections.closeAll()
            connections.add(client.channel)
            await #expect(throws: EventLoopError.shutdown) { try await server.write("x").value() }
            await #expect(throws: EventLoopError.shutdown) { try await server.remove { _, _ in }.value() }
            server.inbound.cancel()
            server.outbound.close()
        }
    }

    @Test func `a loop that was not known before is asked once, and loops at the same address are told apart`() async {
        await #expect(processExitsWith: .success) {
            // Not strict: the first question cannot be avoided.
            for _ in 0..<200 {
                let loop = try await withLoops { $0.next() }
                for _ in 0..<2 {
                    await #expect(throws: EventLoopError.shutdown) { try await loop.makeSucceededFuture(1).value() }
                }
                let alive = try await withLoops { group in try await group.next().submit { 1 }.coFuture().value }
                #expect(alive == 1)
            }
        }
    }
}
#endif
