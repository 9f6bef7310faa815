// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("Semaphores and mutexes in tasks", .timeLimit(.minutes(10)))
struct SemaphoreTests {
    @Test func `who does not wait`() {
        let semaphore = CoSemaphore(permits: 1)
        #expect(semaphore.tryAcquire())
        #expect(!semaphore.tryAcquire())
        semaphore.release()
        #expect(semaphore.availablePermits == 1)
        #expect(semaphore.tryAcquire())
    }

    @Test func `fewer than none`() async {
        await #expect(processExitsWith: .failure) { _ = CoSemaphore(permits: -1) }
    }

    /// In a task that was cancelled before, a permit that is there is acquired, and none is waited for.
    @Test func `in a cancelled task`() async throws {
        let semaphore = CoSemaphore(permits: 1)
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await semaphore.acquire()
        }
        try await task.value
        let second = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await semaphore.acquire()
        }
        await #expect(throws: CancellationError.self) { try await second.value }
        semaphore.release()
        #expect(semaphore.availablePermits == 1)
    }

    @Test func `a task that is cancelled while it waits`() async throws {
        let (semaphore, executor) = (CoSemaphore(permits: 0), ManualExecutor())
        let first = Task(executorPreference: executor) { try await semaphore.acquire() }
        let second = Task(executorPreference: executor) { try await semaphore.acquire() }
        executor.run()
        first.cancel()
        semaphore.release()
        try await executor.run(untilEndOf: second)
        await #expect(throws: CancellationError.self) { try await executor.run(untilEndOf: first) }
        #expect(semaphore.availablePermits == 0)
    }

    @Test func `a task that is cancelled after it got the permit`() async throws {
        let (semaphore, executor) = (CoSemaphore(permits: 0), ManualExecutor())
        let task = Task(executorPreference: executor) { try await semaphore.acquire() }
        executor.run()
        semaphore.release()
        task.cancel()
        try await executor.run(untilEndOf: task)
        #expect(semaphore.availablePermits == 0, "it is the task's")
    }

    // MARK: Mutexes

    @Test func `a mutex is free after an error`() async throws {
        let mutex = CoMutex(1)
        await #expect(throws: Failure(1)) {
            try await mutex.withLock { value in
                value = 2
                throw Failure(1)
            }
        }
        #expect(throws: Failure(2)) { try mutex.withLockIfAvailable { _ in throw Failure(2) } }
        #expect(try await mutex.withLock { $0 } == 2)
    }

    @Test func `what a mutex held is released`() async throws {
        let tracker = LifetimeTracker()
        var mutex: CoMutex<LifetimeTracker.Token>? = CoMutex(tracker.token())
        try await mutex?.withLock { $0 = tracker.token() }
        #expect(tracker.alive == 1)
        mutex = nil
        #expect(tracker.alive == 0)
    }

    /// The body of an actor's stays on the actor.
    @Test func `on an actor`() async throws {
        actor Counter {
            let mutex = CoMutex(0)
            var count = 0

            func increment() async throws {
                try await self.mutex.withLock { value in
                    self.assertIsolated()
                    value += 1
                    self.count += 1
                }
            }
        }
        let counter = Counter()
        try await counter.increment()
        #expect(await counter.count == 1)
    }
}
