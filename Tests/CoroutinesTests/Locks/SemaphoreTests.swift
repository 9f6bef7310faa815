// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Dispatch
import Testing

@testable import AsyncBridgeFutures
@testable import Coroutines

@Suite("Semaphores and mutexes, driven by hand", .timeLimit(.minutes(10)))
struct SemaphoreTests {
    @Test func theFirstToComeIsTheFirstToHaveIt() {
        let (semaphore, scheduler, log) = (CoSemaphore(permits: 0), ManualScheduler(), EventLog())
        for number in 1...4 {
            scheduler.startCoroutine {
                try semaphore.awaitAcquire()
                log.record("\(number)")
            }
        }
        scheduler.run()
        #expect(log.events == [])
        for count in 1...4 {
            semaphore.release()
            scheduler.run()
            #expect(log.events == (1...count).map { "\($0)" })
        }
        #expect(semaphore.availablePermits == 0)
    }

    @Test func whoDoesNotWait() {
        let semaphore = CoSemaphore(permits: 1)
        #expect(semaphore.tryAcquire())
        #expect(!semaphore.tryAcquire())
        semaphore.release()
        #expect(semaphore.availablePermits == 1)
        #expect(semaphore.tryAcquire())
    }

    @Test func aPermitIsGivenBackWhateverHappens() async throws {
        let semaphore = CoSemaphore(permits: 1)
        #expect(try await semaphore.withPermit { semaphore.availablePermits } == 0)
        await #expect(throws: Failure(1)) { try await semaphore.withPermit { throw Failure(1) } }
        #expect(try await withCoroutine { try semaphore.awaitPermit { semaphore.availablePermits } } == 0)
        let failing = DispatchQueue.global().coroutineFuture { try semaphore.awaitPermit { throw Failure(2) } }
        await #expect(throws: Failure(2)) { try await failing.value }
        #expect(semaphore.availablePermits == 1)
    }

    @Test func outsideACoroutine() async {
        let semaphore = CoSemaphore(permits: 1)
        func acquire() { #expect(throws: CoroutineError.outsideCoroutine) { try semaphore.awaitAcquire() } }
        acquire()
        #expect(semaphore.availablePermits == 1)
    }

    @Test func fewerThanNone() async {
        await #expect(processExitsWith: .failure) { _ = CoSemaphore(permits: -1) }
    }

    /// In a task that was cancelled before, a permit that is there is acquired, and none is waited for.
    @Test func inACancelledTask() async throws {
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

    @Test func aTaskThatIsCancelledWhileItWaits() async throws {
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

    @Test func aTaskThatIsCancelledAfterItGotThePermit() async throws {
        let (semaphore, executor) = (CoSemaphore(permits: 0), ManualExecutor())
        let task = Task(executorPreference: executor) { try await semaphore.acquire() }
        executor.run()
        semaphore.release()
        task.cancel()
        try await executor.run(untilEndOf: task)
        #expect(semaphore.availablePermits == 0, "it is the task's")
    }

    // MARK: Every order

    enum Disturber: CaseIterable, Sendable {
        case none
        case cancelFirst
        case cancelSecond
        case dropFirst
        case dropSecond
    }

    /// Two or three that come and go, in every order: one at a time has the permit, and in the end nobody has.
    @Test(arguments: Disturber.allCases, [2, 3])
    func nobodyKeepsThePermit(disturber: Disturber, parties: Int) {
        let runs = everyOrder { choices in
            let (semaphore, log) = (CoSemaphore(permits: 1), EventLog())
            let schedulers = (0..<parties).map { _ in ManualScheduler() }
            let coroutines = schedulers.enumerated().map { number, scheduler in
                scheduler.startCoroutine {
                    try semaphore.awaitPermit {
                        log.record("in")
                        defer { log.record("out") }
                        if number == 0 { try Coroutine.yield() }
                    }
                }
            }
            var hasDisturbed = disturber == .none
            let target = disturber == .cancelFirst || disturber == .dropFirst ? 0 : 1
            let drops = disturber == .dropFirst || disturber == .dropSecond
            while true {
                var movers = schedulers.indices.filter { schedulers[$0].count > 0 }
                if !hasDisturbed, !drops || schedulers[target].count > 0 { movers.append(-1) }
                if movers.isEmpty { break }
                let mover = movers[choices.choose(among: movers.count)]
                if mover >= 0 {
                    schedulers[mover].runOne()
                } else {
                    hasDisturbed = true
                    if drops { schedulers[target].dropOne() } else { coroutines[target].cancel() }
                }
            }
            #expect(semaphore.availablePermits == 1)
            let events = log.events
            #expect(events == (0..<events.count).map { $0.isMultiple(of: 2) ? "in" : "out" }, "one at a time")
            #expect(events.count >= 2 * (parties - 1), "the others were let in")
        }
        #expect(runs > 2)
    }

    // MARK: Mutexes

    @Test func aValueIsUsedByOneAtATime() throws {
        let (mutex, scheduler, log) = (CoMutex([Int]()), ManualScheduler(), EventLog())
        for number in 1...3 {
            scheduler.startCoroutine {
                try mutex.awaitLock { value in
                    log.record("\(number) in")
                    try Coroutine.yield()
                    value.append(number)
                    log.record("\(number) out")
                }
            }
        }
        scheduler.runOne()
        #expect(mutex.withLockIfAvailable { $0 } == nil, "the first waits with it")
        scheduler.run()
        #expect(log.events == ["1 in", "1 out", "2 in", "2 out", "3 in", "3 out"])
        #expect(mutex.withLockIfAvailable { $0 } == [1, 2, 3])
    }

    @Test func aMutexIsFreeAfterAnError() async throws {
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

    /// Who is unwound while he has the value gives it back.
    @Test func aMutexOfAnAbandonedCoroutine() {
        let (mutex, scheduler) = (CoMutex(1), ManualScheduler())
        scheduler.startCoroutine {
            try mutex.awaitLock { value in
                value = 2
                try Coroutine.yield()
                value = 3
            }
        }
        scheduler.runOne()
        scheduler.dropOne()
        #expect(mutex.withLockIfAvailable { $0 } == 2)
    }

    @Test func whatAMutexHeldIsReleased() async throws {
        let tracker = LifetimeTracker()
        var mutex: CoMutex<LifetimeTracker.Token>? = CoMutex(tracker.token())
        try await mutex?.withLock { $0 = tracker.token() }
        #expect(tracker.alive == 1)
        mutex = nil
        #expect(tracker.alive == 0)
    }

    /// The body of an actor's stays on the actor.
    @Test func onAnActor() async throws {
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
