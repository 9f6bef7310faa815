// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Testing

@Suite("Timeouts of semaphores and mutexes in tasks", .timeLimit(.minutes(10)))
struct LockTimeoutTests {
    static let long = Duration.seconds(3600)

    /// Where the locks of these tests were made, and the fault of a wait that has timed out.
    static let line: UInt = 2_000_001
    static let timedOut = BridgeFault(.timedOut, made: CallSite(fileID: #fileID, line: line))

    static func semaphore(_ permits: Int) -> CoSemaphore { CoSemaphore(permits: permits, line: Self.line) }

    @Test func `a wait times out, and leaves nobody in the line`() async {
        let semaphore = Self.semaphore(0)
        await #expect(throws: Self.timedOut) { try await semaphore.acquire(timeout: .nanoseconds(1)) }
        await #expect(throws: Self.timedOut) {
            try await semaphore.acquire(timeout: .nanoseconds(1), clock: .suspending)
        }
        await #expect(throws: Self.timedOut) {
            try await semaphore.withPermit(timeout: .nanoseconds(1)) { Issue.record("there is no permit") }
        }
        semaphore.release()
        #expect(semaphore.availablePermits == 1)
    }

    @Test func `the fault says what and where`() async {
        let error = await #expect(throws: BridgeFault.self) { try await Self.semaphore(0).acquire(timeout: .zero) }
        #expect(error?.code == .timedOut)
        #expect(error?.made.line == Self.line)
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `no time is enough for a free permit`(_ timeout: Duration) async throws {
        let semaphore = Self.semaphore(1)
        try await semaphore.acquire(timeout: timeout)
        #expect(semaphore.availablePermits == 0)
        await #expect(throws: Self.timedOut) { try await semaphore.acquire(timeout: timeout) }
        semaphore.release()
        #expect(try await semaphore.withPermit(timeout: timeout) { semaphore.availablePermits } == 0)
        #expect(semaphore.availablePermits == 1)
    }

    @Test(arguments: [Duration.zero, long])
    func `in a cancelled task`(_ timeout: Duration) async throws {
        let semaphore = Self.semaphore(1)
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await semaphore.acquire(timeout: timeout)
            await #expect(throws: CancellationError.self) { try await semaphore.acquire(timeout: timeout) }
        }
        try await task.value
        semaphore.release()
        #expect(semaphore.availablePermits == 1)
    }

    // MARK: On a test's clock

    @Test func `a permit that comes in time`() async throws {
        let (semaphore, clock) = (Self.semaphore(0), CountedClock())
        let task = Task { try await semaphore.acquire(timeout: Self.long, clock: clock) }
        await clock.hasSleeper()
        semaphore.release()
        try await task.value
        #expect(semaphore.availablePermits == 0, "it is the task's")
        // The timer ends with the wait, though nobody moves the time.
        await clock.hasNoSleeper()
    }

    @Test func `a permit that comes too late is the next one's`() async throws {
        let (semaphore, clock, executor) = (Self.semaphore(0), CountedClock(), ManualExecutor())
        let first = Task(executorPreference: executor) {
            try await semaphore.acquire(timeout: Self.long, clock: clock)
        }
        await executor.turn()
        let second = Task(executorPreference: executor) { try await semaphore.acquire() }
        executor.run()
        await clock.hasSleeper()
        clock.advance(by: Self.long)
        // The first is woken, but has not left the line: its executor has not run it.
        await executor.hasJob()
        semaphore.release()
        await #expect(throws: Self.timedOut) { try await executor.run(untilEndOf: first) }
        try await executor.run(untilEndOf: second)
        #expect(semaphore.availablePermits == 0)
    }

    @Test func `a permit that came before the time was up stays the caller's`() async throws {
        let (semaphore, clock, executor) = (Self.semaphore(0), CountedClock(), ManualExecutor())
        let task = Task(executorPreference: executor) {
            try await semaphore.acquire(timeout: Self.long, clock: clock)
        }
        await executor.turn()
        await clock.hasSleeper()
        semaphore.release()
        clock.advance(by: Self.long)
        task.cancel()
        try await executor.run(untilEndOf: task)
        #expect(semaphore.availablePermits == 0)
    }

    @Test func `a task that is cancelled while it waits`() async {
        let (semaphore, clock) = (Self.semaphore(0), CountedClock())
        let task = Task { try await semaphore.withPermit(timeout: Self.long, clock: clock) {} }
        await clock.hasSleeper()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await clock.hasNoSleeper()
        semaphore.release()
        #expect(semaphore.availablePermits == 1)
    }

    /// Those with and without a timeout stand in one line.
    @Test func `first come, first served`() async throws {
        let (semaphore, executor, log) = (Self.semaphore(0), ManualExecutor(), EventLog())
        let tasks = (1...4).map { number in
            let task = Task(executorPreference: executor) {
                if number.isMultiple(of: 2) {
                    try await semaphore.acquire()
                } else {
                    try await semaphore.acquire(timeout: Self.long)
                }
                log.record("\(number)")
            }
            executor.run()
            return task
        }
        for task in tasks {
            semaphore.release()
            try await executor.run(untilEndOf: task)
        }
        #expect(log.events == ["1", "2", "3", "4"])
    }

    /// The shared timers of a system's clock forget a wait that has ended.
    @Test func `no timer stays`() async throws {
        let semaphore = Self.semaphore(0)
        let before = Timers.suspending.count
        let task = Task { try await semaphore.acquire(timeout: Self.long, clock: .suspending) }
        await until { Timers.suspending.count > before }
        semaphore.release()
        try await task.value
        await until { Timers.suspending.count <= before }
    }

    // MARK: Mutexes

    @Test func `a mutex is locked in time, or not at all`() async throws {
        let mutex = CoMutex(1, line: Self.line)
        try await mutex.withLock(timeout: .zero) { value in
            value = 2
            await #expect(throws: Self.timedOut) {
                try await mutex.withLock(timeout: .nanoseconds(1)) { _ in Issue.record("it is locked") }
            }
        }
        #expect(try await mutex.withLock(timeout: Self.long) { $0 } == 2)
        await #expect(throws: Failure(1)) { try await mutex.withLock(timeout: Self.long) { _ in throw Failure(1) } }
        #expect(mutex.withLockIfAvailable { $0 } == 2)
    }

    /// The timeout is that of the wait, not of the body.
    @Test func `the body has all the time it needs`() async throws {
        let (mutex, clock) = (CoMutex(0), TestClock())
        try await mutex.withLock(timeout: .seconds(1), clock: clock) { value in
            clock.advance(by: Self.long)
            await Task.yield()
            value = 1
        }
        #expect(mutex.withLockIfAvailable { $0 } == 1)
    }
}
