// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("A timeout needs no thread that tasks can keep", .timeLimit(.minutes(10)))
struct SaturatedPoolTests {
    static let time = Duration.milliseconds(10)

    /// The ways of a coroutine to wait for a time, by their names.
    static let waits: [(String, @Sendable () throws -> Void)] = [
        ("select", { try select(.receive(from: CoChannel<Int>()) { _ in }, .after(Self.time) {}) }),
        ("select, suspending", { try select(.after(Self.time, clock: .suspending) {}) }),
        ("delay", { try Coroutine.delay(Self.time) }),
        ("delay, suspending", { try Coroutine.delay(Self.time, clock: .suspending) }),
        ("future", { #expect(throws: CoFutureError.self) { try CoPromise<Int>().await(timeout: Self.time) } }),
        (
            "semaphore",
            { #expect(throws: BridgeFault.self) { try CoSemaphore(permits: 0).awaitAcquire(timeout: Self.time) } }
        ),
        (
            "callback",
            {
                #expect(throws: BridgeFault.self) {
                    try Coroutine.await(of: Int.self, timeout: .after(Self.time)) { callback in
                        callback.onCancel { _ = callback }
                    }
                }
            }
        ),
    ]

    @Test func `in a coroutine on a queue`() async {
        await #expect(processExitsWith: .success) {
            for (name, wait) in Self.waits {
                let future = DispatchQueue(label: name).coroutineFuture {
                    let pool = BusyPool()
                    try wait()
                    return pool.stop()
                }
                let hasEnded = try await future.value
                #expect(hasEnded, "\(name)")
            }
        }
    }

    /// The task goes on where its executor says: here that is a queue, not the pool.
    @Test func `in a task on another executor`() async {
        await #expect(processExitsWith: .success) {
            let executor = SchedulerTaskExecutor(DispatchQueue(label: "executor"))
            for name in ["callback", "select", "semaphore", "future", "delay"] {
                let wasBusy = try await Task(executorPreference: executor) {
                    let pool = BusyPool()
                    switch name {
                    case "callback":
                        await #expect(throws: BridgeFault.self) {
                            try await withCallback(of: Int.self, timeout: .after(Self.time)) { callback in
                                callback.onCancel { _ = callback }
                            }
                        }
                    case "semaphore":
                        await #expect(throws: BridgeFault.self) {
                            try await CoSemaphore(permits: 0).acquire(timeout: Self.time)
                        }
                    case "future":
                        await #expect(throws: CoFutureError.self) {
                            try await CoPromise<Int>().value(timeout: Self.time)
                        }
                    case "select": try await Coroutines.select(.after(Self.time) {})
                    default: try await withCoroutine { try Coroutine.delay(Self.time) }
                    }
                    return pool.stop()
                }.value
                #expect(wasBusy, "\(name)")
            }
        }
    }

    /// A task in the pool must wait for a thread there, but not so that its answer may come after its time.
    @Test func `of a task in the pool is decided in time`() async {
        await #expect(processExitsWith: .success) {
            let callbacks = Mutex<Callback<Int, any Error>?>(nil)
            let task = Task {
                try await withCallback(of: Int.self, timeout: .after(.milliseconds(300))) { callback in
                    callbacks.withLock { $0 = callback }
                }
            }
            while callbacks.withLock({ $0 == nil }) { await Task.yield() }
            let future = DispatchQueue(label: "answering").coroutineFuture {
                let pool = BusyPool()
                let callback = callbacks.withLock { $0.take() }
                while callback?.isWaiting ?? false { sched_yield() }
                #expect(callback?.resume(returning: 1) == false)
                return pool.stop()
            }
            let hasEnded = try await future.value
            #expect(hasEnded)
            await #expect(throws: BridgeFault.self) { try await task.value }
        }
    }

    /// Code that continues inside the call that wakes it may keep that thread: the timers have another one then.
    @Test func `nor one that the waiters' own code keeps`() async throws {
        let isTold = Atomic(false)
        let busy = Atomic(0)
        for _ in 0..<3 {
            ImmediateScheduler().startCoroutine {
                try Coroutine.delay(Self.moment)
                busy.add(1, ordering: .relaxed)
                while !isTold.load(ordering: .relaxed) { sched_yield() }
                busy.subtract(1, ordering: .relaxed)
            }
        }
        await until { busy.load(ordering: .relaxed) == 3 }
        let future = DispatchQueue(label: "another").coroutineFuture { try Coroutine.delay(Self.time) }
        try await future.value
        isTold.store(true, ordering: .relaxed)
        await until { busy.load(ordering: .relaxed) == 0 }
    }

    /// So long that the wait begins before it is over: what follows would keep the test's own thread.
    private static let moment = Duration.milliseconds(20)

    /// The ways of a task to wait for a short time.
    static let taskWaits: [@Sendable () async throws -> Void] = [
        { try await Coroutines.select(.after(Self.moment) {}) },
        { try await withCoroutine { try Coroutine.delay(Self.moment) } },
        {
            _ = try? await withCallback(of: Int.self, timeout: .after(Self.moment)) { callback in
                callback.onCancel { _ = callback }
            }
        },
    ]

    @Test(arguments: 0..<3)
    func `nor one that tasks keep whose executor runs them at once`(way: Int) async throws {
        let threads = KeptThreads()
        let executor = RunningAtOnce()
        let tasks = (0..<3).map { _ in
            Task(executorPreference: executor) {
                try await Self.taskWaits[way]()
                threads.keep()
            }
        }
        await until { threads.count == 3 }
        try await DispatchQueue(label: "another").coroutineFuture { try Coroutine.delay(Self.time) }.value
        threads.release()
        for task in tasks { try await task.value }
    }

    /// Threads on which code stays until it is told to go on.
    private final class KeptThreads: Sendable {
        private let busy = Atomic(0)
        private let isTold = Atomic(false)

        var count: Int { self.busy.load(ordering: .relaxed) }

        func keep() {
            self.busy.add(1, ordering: .relaxed)
            while !self.isTold.load(ordering: .relaxed) { sched_yield() }
        }

        func release() { self.isTold.store(true, ordering: .relaxed) }
    }

    /// A loop of waits that are shorter than a timer is worth lets other code run.
    @Test func `a loop of short delays is no busy loop`() async throws {
        let isTold = Atomic(false)
        let queue = DispatchQueue(label: "serial")
        let waiting = queue.coroutineFuture {
            while !isTold.load(ordering: .relaxed) { try Coroutine.delay(.nanoseconds(1)) }
        }
        let telling = queue.coroutineFuture { isTold.store(true, ordering: .relaxed) }
        try await telling.value
        try await waiting.value
        try await Self.loopOnMainActor()
    }

    @MainActor
    private static func loopOnMainActor() async throws {
        let flag = LastFlag()
        Task { @MainActor in flag.isSet = true }
        try await withCoroutine { while !flag.isSet { try Coroutine.delay(.nanoseconds(1)) } }
    }

    @MainActor
    private final class LastFlag { var isSet = false }
}
