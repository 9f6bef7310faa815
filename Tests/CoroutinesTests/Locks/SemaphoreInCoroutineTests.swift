// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

@Suite("Semaphores and mutexes in coroutines, driven by hand", .timeLimit(.minutes(10)))
struct SemaphoreInCoroutineTests {
    @Test func `the first to come is the first to have it`() {
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

    @Test func `a permit is given back whatever happens`() async throws {
        let semaphore = CoSemaphore(permits: 1)
        #expect(try await semaphore.withPermit { semaphore.availablePermits } == 0)
        await #expect(throws: Failure(1)) { try await semaphore.withPermit { throw Failure(1) } }
        #expect(try await withCoroutine { try semaphore.awaitPermit { semaphore.availablePermits } } == 0)
        let failing = DispatchQueue.global().coroutineFuture { try semaphore.awaitPermit { throw Failure(2) } }
        await #expect(throws: Failure(2)) { try await failing.value }
        #expect(semaphore.availablePermits == 1)
    }

    @Test func `outside a coroutine`() async {
        let semaphore = CoSemaphore(permits: 1)
        func acquire() { #expect(throws: CoroutineError.outsideCoroutine) { try semaphore.awaitAcquire() } }
        acquire()
        #expect(semaphore.availablePermits == 1)
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
    func `nobody keeps the permit`(disturber: Disturber, users: Int) {
        let runs = everyOrder { choices in
            let (semaphore, log) = (CoSemaphore(permits: 1), EventLog())
            let schedulers = (0..<users).map { _ in ManualScheduler() }
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
            #expect(events.count >= 2 * (users - 1), "the others were let in")
        }
        #expect(runs > 2)
    }

    // MARK: Mutexes

    @Test func `a value is used by one at a time`() throws {
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

    /// Who is unwound while he has the value gives it back.
    @Test func `a mutex of an abandoned coroutine`() {
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
}
