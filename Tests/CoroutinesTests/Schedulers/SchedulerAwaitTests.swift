// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Synchronization
import Testing

@Suite("CoroutineScheduler.await", .timeLimit(.minutes(10)))
struct SchedulerAwaitTests {
    private let home = ManualScheduler()
    private let other = ManualScheduler()
    private let log = EventLog()

    @Test func `the closure runs there, and the coroutine goes on here`() async throws {
        let (home, other, log) = (self.home, self.other, self.log)
        home.startCoroutine {
            log.expect(1)
            let value = try other.await {
                #expect(Coroutine.isInsideCoroutine)
                log.expect(2)
                return 7
            }
            #expect(value == 7)
            log.expect(4)
        }
        home.run()
        other.run()
        try await home.arrivals(atLeast: 2)
        log.expect(3)
        home.run()
        log.finish(5)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `what the closure throws is thrown here`() async throws {
        let (home, other, log) = (self.home, self.other, self.log)
        home.startCoroutine {
            #expect(throws: Failure(7)) { try other.await { throw Failure(7) } }
            log.finish(1)
        }
        home.run()
        other.run()
        try await home.arrivals(atLeast: 2)
        home.run()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `a scheduler that runs it at once does not make the coroutine wait`() {
        let (home, log) = (self.home, self.log)
        home.startCoroutine {
            try #expect(ImmediateScheduler().await { 7 } == 7)
            #expect(throws: Failure(7)) { try ImmediateScheduler().await { throw Failure(7) } }
            log.finish(1)
        }
        home.runOne()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `a scheduler that drops it ends the wait`() async throws {
        let (home, other, log, tracker) = (self.home, self.other, self.log, LifetimeTracker())
        let place = MisusePlace()
        home.startCoroutine {
            let token = tracker.token()
            do {
                try other.await(fileID: place.fileID, line: place.line) { _ = token }
                log.unreached()
            } catch let fault as BridgeFault {
                #expect(fault.code == .callbackDropped)
                #expect(fault.made == CallSite(fileID: place.fileID, line: place.line))
                log.finish(1)
            }
        }
        home.run()
        other.dropOne()
        try await home.arrivals(atLeast: 2)
        home.run()
        #expect(log.finished().isEmpty, "\(log.finished())")
        #expect(tracker.alive == 0)
        // There is no callback to look for.
        #expect(place.reports.map(\.kind) == [.droppedCallback])
        #expect(place.reports.allSatisfy { $0.advice.contains("scheduler has released the closure") })
    }

    @Test func `cancelled before the closure begins, it never does`() async throws {
        let (home, other, log) = (self.home, self.other, self.log)
        let coroutine = home.startCoroutine {
            defer { log.finish(1) }
            try other.await { log.unreached() }
            log.unreached()
        }
        home.run()
        coroutine.cancel()
        try await home.arrivals(atLeast: 2)
        home.run()
        other.run()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `cancelled while the closure runs, the coroutine waits for it`() async throws {
        let (home, other, log) = (self.home, self.other, self.log)
        let coroutine = Mutex<CoroutineHandle?>(nil)
        let started = home.startCoroutine {
            let value = try other.await {
                coroutine.withLock { $0 }?.cancel()
                log.expect(1)
                return 7
            }
            #expect(value == 7)
            log.expect(2)
            #expect(throws: CancellationError.self) { try Coroutine.yield() }
            log.finish(3)
        }
        coroutine.withLock { $0 = started }
        home.run()
        other.run()
        try await home.arrivals(atLeast: 2)
        home.run()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `the value need not be sendable`() async throws {
        final class Box { var value = 7 }
        let value = try await withCoroutine {
            let box = try DispatchQueue.global().await { Box() }
            box.value += 1
            return box.value
        }
        #expect(value == 8)
    }

    @Test func `outside a coroutine, the closure is not scheduled`() {
        let (other, log) = (self.other, self.log)
        #expect(throws: CoroutineError.outsideCoroutine) { try other.await { log.unreached() } }
        #expect(other.count == 0)
    }

    /// The scheduler drops the closure a moment after the coroutine has its answer.
    @Test func `a scheduler may keep the closure for a while`() async throws {
        let kept = Collected<@Sendable () -> Void>()
        struct Keeping: CoroutineScheduler {
            let kept: Collected<@Sendable () -> Void>

            func scheduleTask(_ task: @escaping @Sendable () -> Void) {
                self.kept.append(task)
                DispatchQueue.global().async(execute: task)
            }
        }
        let scheduler = Keeping(kept: kept)
        let sum = try await withCoroutine {
            try (0..<1000).reduce(0) { sum, number in try scheduler.await { sum + number } }
        }
        #expect(sum == 499_500)
        #expect(kept.all.count == 1000)
    }

    @Test(arguments: Order.all) func `every order of run drop and cancel ends the wait once`(_ order: Order)
        async throws
    {
        let (home, other) = (self.home, self.other)
        let runs = Mutex(0)
        let outcomes = Collected<Result<Int, any Error>>()
        let coroutine = home.startCoroutine {
            outcomes.append(
                Result {
                    try other.await {
                        runs.withLock {
                            $0 += 1; return $0
                        }
                    }
                }
            )
        }
        home.run()
        for event in order.events {
            switch event {
            case .run: other.runOne()
            case .drop: other.dropOne()
            case .cancel: coroutine.cancel()
            }
        }
        try await home.arrivals(atLeast: 2)
        home.run()
        await coroutine.ended()
        #expect(outcomes.all.count == 1)
        switch (order.events.first, outcomes.all.first) {
        case (.run, .success(1)):
            #expect(runs.withLock { $0 } == 1)
        case (.drop, .failure(let error)):
            #expect((error as? BridgeFault)?.code == .callbackDropped)
        case (.cancel, .failure(let error)):
            // Which of the two the waiter sees first is its executor's choice; the closure may have been run or not.
            #expect(error is CancellationError || (error as? BridgeFault)?.code == .callbackDropped)
        case (.cancel, .success(1)):
            #expect(order.events.contains(.run))
        default:
            Issue.record("\(order) led to \(outcomes.all)")
        }
        #expect(runs.withLock { $0 } <= 1)
    }

    enum Event: CaseIterable {
        case run, drop, cancel
    }

    struct Order: Sendable, CustomTestStringConvertible {
        let events: [Event]

        var testDescription: String { "\(self.events)" }

        static let all = Event.allCases.flatMap { first in
            Event.allCases.filter { $0 != first }.flatMap { second in
                Event.allCases.filter { $0 != first && $0 != second }.map { Order(events: [first, second, $0]) }
            }
        }
    }
}
