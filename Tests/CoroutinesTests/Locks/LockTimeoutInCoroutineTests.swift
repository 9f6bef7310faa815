// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

@Suite("Timeouts of semaphores and mutexes in coroutines", .timeLimit(.minutes(10)))
struct LockTimeoutInCoroutineTests {
    static let long = Duration.seconds(3600)
    static let line: UInt = 2_000_002
    static let timedOut = BridgeFault(.timedOut, made: CallSite(fileID: #fileID, line: line))

    static func semaphore(_ permits: Int) -> CoSemaphore { CoSemaphore(permits: permits, line: Self.line) }

    enum Place: CaseIterable {
        case task
        case scheduler

        func run(_ body: @escaping @Sendable () throws -> Void) async throws {
            switch self {
            case .task: try await withCoroutine { try body() }
            case .scheduler: try await DispatchQueue.global().coroutineFuture { try body() }.value
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a wait times out, and leaves nobody in the line`(_ place: Place) async throws {
        let semaphore = Self.semaphore(0)
        try await place.run {
            #expect(throws: Self.timedOut) { try semaphore.awaitAcquire(timeout: .nanoseconds(1)) }
            #expect(throws: Self.timedOut) { try semaphore.awaitAcquire(timeout: .milliseconds(1), clock: .suspending) }
            #expect(throws: Self.timedOut) { try semaphore.awaitPermit(timeout: .zero) { Issue.record("no permit") } }
            semaphore.release()
            #expect(semaphore.availablePermits == 1)
            try semaphore.awaitAcquire(timeout: .zero)
            #expect(semaphore.availablePermits == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func `a mutex is locked in time, or not at all`(_ place: Place) async throws {
        let mutex = CoMutex(1, line: Self.line)
        try await place.run {
            try mutex.awaitLock(timeout: .zero) { value in
                value = 2
                #expect(throws: Self.timedOut) {
                    try mutex.awaitLock(timeout: .nanoseconds(1)) { _ in Issue.record("it is locked") }
                }
                try Coroutine.yield()
            }
            #expect(throws: Failure(1)) { try mutex.awaitLock(timeout: Self.long) { _ in throw Failure(1) } }
        }
        #expect(mutex.withLockIfAvailable { $0 } == 2)
    }

    /// A clock that is not the system's sleeps in a task.
    @Test(arguments: Place.allCases)
    func `on a test's clock`(_ place: Place) async throws {
        let (semaphore, clock) = (Self.semaphore(0), CountedClock())
        let waiting = Task {
            try await place.run { try semaphore.awaitAcquire(timeout: Self.long, clock: clock) }
        }
        await clock.hasSleeper()
        clock.advance(by: Self.long)
        await #expect(throws: Self.timedOut) { try await waiting.value }
        semaphore.release()
        #expect(semaphore.availablePermits == 1)
    }

    @Test(arguments: Place.allCases)
    func `a permit that comes in time`(_ place: Place) async throws {
        let (semaphore, clock) = (Self.semaphore(0), CountedClock())
        let permits = Collected<Int>()
        let waiting = Task {
            try await place.run {
                try semaphore.awaitPermit(timeout: Self.long, clock: clock) {
                    permits.append(semaphore.availablePermits)
                }
            }
        }
        await clock.hasSleeper()
        semaphore.release()
        try await waiting.value
        #expect(permits.all == [0])
        #expect(semaphore.availablePermits == 1)
        await clock.hasNoSleeper()
    }

    @Test func `outside a coroutine`() async {
        let semaphore = Self.semaphore(1)
        func acquire() {
            #expect(throws: CoroutineError.outsideCoroutine) { try semaphore.awaitAcquire(timeout: .zero) }
        }
        acquire()
        #expect(semaphore.availablePermits == 1)
    }

    // MARK: Driven by hand

    @Test func `a coroutine that is cancelled while it waits`() async {
        let (semaphore, scheduler, log) = (Self.semaphore(0), ManualScheduler(), EventLog())
        let coroutine = scheduler.startCoroutine {
            do { try semaphore.awaitAcquire(timeout: Self.long) } catch is CancellationError { log.record("cancelled") }
        }
        scheduler.run()
        coroutine.cancel()
        semaphore.release()
        #expect(semaphore.availablePermits == 1)
        scheduler.run()
        #expect(log.events == ["cancelled"])
    }

    /// The permit that a dropped coroutine was given goes to the next one.
    @Test func `a coroutine that is dropped with its permit`() {
        let (semaphore, first, second, log) = (Self.semaphore(0), ManualScheduler(), ManualScheduler(), EventLog())
        first.startCoroutine {
            defer { log.record("unwound") }
            try semaphore.awaitAcquire(timeout: Self.long)
            log.record("acquired by the first")
        }
        first.run()
        second.startCoroutine {
            try semaphore.awaitAcquire(timeout: Self.long)
            log.record("acquired by the second")
        }
        second.run()
        semaphore.release()
        first.dropOne()
        second.run()
        #expect(log.events == ["unwound", "acquired by the second"])
        #expect(semaphore.availablePermits == 0)
    }

    /// With and without a timeout, in tasks and coroutines: one line.
    @Test func `first come, first served`() {
        let (semaphore, scheduler, log) = (Self.semaphore(0), ManualScheduler(), EventLog())
        for number in 1...4 {
            scheduler.startCoroutine {
                if number.isMultiple(of: 2) {
                    try semaphore.awaitAcquire()
                } else {
                    try semaphore.awaitAcquire(timeout: Self.long)
                }
                log.record("\(number)")
            }
        }
        scheduler.run()
        for count in 1...4 {
            semaphore.release()
            scheduler.run()
            #expect(log.events == (1...count).map { "\($0)" })
        }
    }
}
