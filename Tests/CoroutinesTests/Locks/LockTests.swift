// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

@Suite("Locks that suspend", .timeLimit(.minutes(10)))
struct LockTests {
    @Test func `a mutex between tasks and coroutines`() async throws {
        let mutex = CoMutex(0)
        let coroutines = (0..<20).map { _ in
            DispatchQueue.global().coroutineFuture {
                for _ in 0..<50 {
                    try mutex.awaitLock { value in
                        let old = value
                        try Coroutine.yield()
                        value = old + 1
                    }
                }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    for _ in 0..<50 {
                        try await mutex.withLock { value in
                            let old = value
                            await Task.yield()
                            value = old + 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for coroutine in coroutines { try await coroutine.value }
        #expect(try await mutex.withLock { $0 } == 2000)
    }

    @Test func `scopes wait for their children`() async throws {
        let log = EventLog()
        let sum = try await withCoroutineScope { scope in
            let first = scope.future(on: DispatchQueue.global()) { () -> Int in
                try Coroutine.yield()
                return 1
            }
            let second = scope.future { 2 }
            scope.start(on: DispatchQueue.global()) {
                try Coroutine.yield()
                log.record("child")
            }
            return try await first.value + second.value
        }
        #expect(sum == 3)
        #expect(log.events == ["child"])
    }

    @Test func `the first error ends a scope`() async throws {
        struct Failure: Error {}
        let promise = CoPromise<Int>()
        await #expect(throws: Failure.self) {
            try await withCoroutineScope { scope in
                scope.start(on: DispatchQueue.global()) { _ = try promise.await() }
                scope.start { throw Failure() }
            }
        }
        #expect(promise.result == nil)
    }
}
