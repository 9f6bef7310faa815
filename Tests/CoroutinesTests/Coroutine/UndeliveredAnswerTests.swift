// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Synchronization
import Testing

/// A value that comes when the coroutine no longer waits for it.
@Suite("Coroutine.await of a callback: what comes too late", .timeLimit(.minutes(10)))
struct UndeliveredAnswerTests {
    /// What the wait is like.
    enum Wait: CaseIterable {
        case onAScheduler
        case onASchedulerWithATimeout
        case inATask

        var timeout: BridgeTimeout? { self == .onASchedulerWithATimeout ? .seconds(3600) : nil }
    }

    /// Waits for a callback, which it gives away.
    private static func wait(
        _ wait: Wait,
        _ callback: CoPromise<Callback<Int, any Error>>,
        _ undelivered: Collected<Int>
    ) throws -> Int {
        try Coroutine.await(timeout: wait.timeout, onUndelivered: { undelivered.append($0) }) {
            (answer: Callback<Int, any Error>) in
            callback.success(answer)
        }
    }

    @Test(arguments: Wait.allCases)
    func `after a cancellation`(_ wait: Wait) async throws {
        let (callback, undelivered) = (CoPromise<Callback<Int, any Error>>(), Collected<Int>())
        switch wait {
        case .inATask:
            let task = Task { try await withCoroutine { try Self.wait(wait, callback, undelivered) } }
            let answer = try await callback.value
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!answer.resume(returning: 7))
        case .onAScheduler, .onASchedulerWithATimeout:
            let scheduler = SerialScheduler()
            let future = scheduler.coroutineFuture { try Self.wait(wait, callback, undelivered) }
            let answer = try await callback.value
            let ended = CoPromise<Void>()
            future.cancel()
            // What is scheduled now runs when the coroutine has ended.
            scheduler.scheduleTask { scheduler.scheduleTask { ended.success(()) } }
            try await ended.value
            answer.resume(returning: 7)
        }
        #expect(undelivered.all == [7])
    }

    /// The answer is there, but the scheduler drops the coroutine before it has taken it.
    @Test func `before the coroutine is unwound`() async throws {
        let (callback, undelivered) = (CoPromise<Callback<Int, any Error>>(), Collected<Int>())
        let (scheduler, log) = (ManualScheduler(), EventLog())
        scheduler.startCoroutine(onError: { log.record("\(type(of: $0))") }) {
            do { _ = try Self.wait(.onAScheduler, callback, undelivered) } catch {
                log.record("\(type(of: error))")
            }
        }
        scheduler.runOne()
        let answer = try await callback.value
        #expect(answer.resume(returning: 7))
        scheduler.dropOne()
        #expect(log.events == ["CancellationError"])
        #expect(undelivered.all == [7])
    }

    @Test func `who takes it keeps it`() async throws {
        let (callback, undelivered) = (CoPromise<Callback<Int, any Error>>(), Collected<Int>())
        let task = Task { try await withCoroutine { try Self.wait(.inATask, callback, undelivered) } }
        try await callback.value.resume(returning: 7)
        #expect(try await task.value == 7)
        #expect(undelivered.all.isEmpty)
    }
}
