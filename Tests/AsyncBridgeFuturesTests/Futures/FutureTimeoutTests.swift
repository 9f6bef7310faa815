// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("CoFuture.value(timeout:)", .timeLimit(.minutes(10)))
struct FutureTimeoutTests {
    @Test func `times out, and leaves the future alone`() async throws {
        let promise = CoPromise<Int>()
        await #expect(throws: CoFutureError.timeout) { try await promise.value(timeout: .nanoseconds(1)) }
        #expect(promise.result == nil)
        promise.success(1)
        #expect(try await promise.value(timeout: .seconds(3600)) == 1)
    }

    @Test func `ends with its task, and returns an existing result in a cancelled one`() async throws {
        let promise = CoPromise<Int>()
        let waiting = Task { try await promise.value(timeout: .seconds(3600)) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(!promise.isCancelled)
        promise.success(2)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await promise.value(timeout: .seconds(3600))
        }
        #expect(try await late.value == 2)
    }

    @Test func `SelectBranch.first is select`() async throws {
        let (left, right) = (CoChannel<Int>(), CoChannel<Int>())
        right.offer(3)
        let taken = try await SelectBranch.first(.receive(from: left) { $0 }, .receive(from: right) { $0 })
        #expect(taken == 3)
    }
}
