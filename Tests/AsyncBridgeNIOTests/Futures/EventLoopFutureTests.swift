// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeNIO
import AsyncBridgeTesting
import NIOCore
import NIOEmbedded
import NIOPosix
import Synchronization
import Testing

@Suite("Event loops' futures in async code", .timeLimit(.minutes(10)))
struct EventLoopFutureTests {
    @Test
    func `a value and an error arrive, early and late`() async throws {
        try await withLoops { group in
            let loop = group.next()
            for policy in [EventLoopWaitPolicy.ignore, .abandon, .propagate(cancel: {})] {
                let ready = try await loop.makeSucceededFuture(1).value(cancellation: policy)
                #expect(ready == 1)
                let failed: EventLoopFuture<Int> = loop.makeFailedFuture(LoopError())
                await #expect(throws: LoopError()) { try await failed.value(cancellation: policy) }
                let late = try await loop.submit { 2 }.value(cancellation: policy)
                #expect(late == 2)
                await #expect(throws: LoopError()) {
                    try await loop.submit { () throws -> Int in throw LoopError() }.value(cancellation: policy)
                }
            }
        }
    }

    @Test
    func `a cancelled waiter that abandons ends at once, and the future goes on for others`() async throws {
        try await withLoops { group in
            let promise = group.next().makePromise(of: Int.self)
            let (first, second) = (
                Task { try await promise.futureResult.value() }, Task { try await promise.futureResult.value() }
            )
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            promise.succeed(3)
            let value = try await second.value
            #expect(value == 3)
        }
    }

    @Test
    func `a cancelled waiter that ignores it waits for the result`() async throws {
        try await withLoops { group in
            let promise = group.next().makePromise(of: Int.self)
            let task = Task { try await promise.futureResult.value(cancellation: .ignore) }
            task.cancel()
            promise.succeed(4)
            let value = try await task.value
            #expect(value == 4)
        }
    }

    @Test(arguments: [true, false])
    func `a cancelled waiter stops the work once, before or after it began to wait`(isEarly: Bool) async throws {
        try await withLoops { group in
            let cancels = Count()
            let promise = group.next().makePromise(of: Int.self)
            BridgeDiagnostics.tracksPendingWaits = true
            let site = CallSite(fileID: #fileID, line: isEarly ? 1 : 2)
            let task = Task {
                if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
                return try await promise.futureResult.value(
                    cancellation: .propagate { cancels.add() },
                    fileID: #fileID,
                    line: isEarly ? 1 : 2
                )
            }
            if !isEarly {
                await until { BridgeDiagnostics.pendingWaits.contains { $0.made == site } }
                task.cancel()
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(cancels.value == 1)
            promise.fail(LoopError())
        }
    }

    @Test
    func `on its own loop, a future with a result does not suspend, in a cancelled task too`() async throws {
        try await withLoops { group in
            let loop = group.next()
            let future = loop.makeSucceededFuture(5)
            let task = Task(executorPreference: loop.taskExecutor) {
                withUnsafeCurrentTask { $0?.cancel() }
                loop.assertInEventLoop()
                return try await future.value()
            }
            let value = try await task.value
            #expect(value == 5)
        }
    }
}
#endif
