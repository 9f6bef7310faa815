// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Synchronization
import Testing

@Suite("ImmediateScheduler", .timeLimit(.minutes(10)))
struct ImmediateSchedulerTests {
    @Test func `the code runs in the call that starts it`() {
        let log = EventLog()
        log.expect(1)
        ImmediateScheduler().startCoroutine { log.expect(2) }
        log.finish(3)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `after a wait, it goes on where the operation ended`() async throws {
        let (gate, log) = (Gate(), EventLog())
        let coroutine = ImmediateScheduler().startCoroutine {
            try Coroutine.await { try await gate.pass() }
            log.expect(2)
        }
        log.expect(1)
        gate.open()
        await coroutine.ended()
        log.finish(3)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    /// Each step on top of the one before would need a gigabyte.
    @Test func `yielding a million times needs no deeper stack`() async throws {
        let count = Mutex(0)
        _ = try await onThread {
            ImmediateScheduler().startCoroutine {
                for _ in 0..<1_000_000 {
                    try Coroutine.yield()
                    count.withLock { $0 += 1 }
                }
            }
        }
        #expect(count.withLock { $0 } == 1_000_000)
    }

    @Test func `many ready operations need no deeper stack`() async throws {
        let sum = Mutex(0)
        let coroutine = ImmediateScheduler().startCoroutine {
            for number in 0..<20_000 {
                let value = try Coroutine.await { number }
                sum.withLock { $0 += value }
            }
        }
        await coroutine.ended()
        #expect(sum.withLock { $0 } == 199_990_000)
    }

    @Test func `started in each other, each has a stack`() {
        let log = EventLog()
        @Sendable func start(_ depth: Int) {
            ImmediateScheduler().startCoroutine {
                if depth < 100 { start(depth + 1) }
                try Coroutine.yield()
                log.expect(101 - depth)
            }
        }
        start(1)
        log.finish(101)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `errors go to the handler`() {
        let errors = Collected<any Error>()
        ImmediateScheduler().startCoroutine(onError: { errors.append($0) }) { throw Failure(7) }
        #expect(errors.all.map { $0 as? Failure } == [Failure(7)])
    }
}
