// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Testing

/// Cancelled at every step of every short program: the body ends once, cleans up, and leaves nothing behind.
@Suite("Every moment of a cancellation", .timeLimit(.minutes(10)))
struct CancellationOrderTests {
    /// One kind of wait.
    enum Wait: CaseIterable {
        case yield
        case readyOperation
        case operation
        case operationThatTakesNoNotice
        case callbackAtOnce
        case lateCallback
        case delay
        case nestedCoroutine
    }

    static let programs: [[Wait]] = Wait.allCases.flatMap { first in
        Wait.allCases.flatMap { second in Wait.allCases.map { [first, second, $0] } }
    }

    /// One run of a program.
    struct Run {
        let executor = ManualExecutor()
        let clock = TestClock()
        let log = EventLog()
        let tracker = LifetimeTracker()

        func start(_ program: [Wait]) -> Task<Int, any Error> {
            // The world answers when all else has been done that can be.
            Task(executorPreference: self.executor) { [executor, clock, log, tracker] in
                try await withCoroutine {
                    log.record("begin")
                    let token = tracker.token("body")
                    defer {
                        log.record("end")
                        withExtendedLifetime(token) {}
                    }
                    var done = 0
                    for wait in program {
                        let token = tracker.token("frame")
                        defer {
                            log.record("defer")
                            withExtendedLifetime(token) {}
                        }
                        let value = try Self.perform(wait, done, executor, clock, tracker)
                        done += value.value
                    }
                    return done
                }
            }
        }

        private static func perform(
            _ wait: Wait,
            _ number: Int,
            _ executor: ManualExecutor,
            _ clock: TestClock,
            _ tracker: LifetimeTracker
        ) throws -> LifetimeTracker.Tracked<Int> {
            let captured = tracker.token("captured")
            switch wait {
            case .yield:
                try Coroutine.yield()
                return tracker.track(1)
            case .readyOperation:
                return try Coroutine.await { tracker.track(1) }
            case .operation:
                return try Coroutine.await {
                    executor.perform { clock.advance(by: .seconds(1)) }
                    try await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
                    withExtendedLifetime(captured) {}
                    return tracker.track(1)
                }
            case .operationThatTakesNoNotice:
                return try Coroutine.await {
                    await withCheckedContinuation { continuation in
                        executor.perform { continuation.resume(returning: tracker.track(1)) }
                    }
                }
            case .callbackAtOnce:
                return try Coroutine.await { callback in callback.resume(returning: tracker.track(1)) }
            case .lateCallback:
                return try Coroutine.await { callback in
                    callback.onCancel { withExtendedLifetime(captured) {} }
                    executor.perform { callback.resume(returning: tracker.track(1)) }
                }
            case .delay:
                executor.perform { clock.advance(by: .seconds(1)) }
                try Coroutine.delay(.seconds(1), clock: clock)
                return tracker.track(1)
            case .nestedCoroutine:
                return try Coroutine.await {
                    try await withCoroutine {
                        defer { withExtendedLifetime(captured) {} }
                        try Coroutine.yield()
                        return tracker.track(1)
                    }
                }
            }
        }

        /// Checks what must hold after every end.
        func check(_ result: Result<Int, any Error>, isCancelled: Bool, _ comment: Comment) {
            switch result {
            case .success(let done): #expect(done == 3, comment)
            case .failure(let error): #expect(isCancelled && error is CancellationError, comment)
            }
            let events = self.log.events
            #expect(events.filter { $0 == "begin" }.count == 1, comment)
            #expect(events.filter { $0 == "end" }.count == 1, comment)
            #expect(events.last == "end", comment)
            // What is left in the executor, like the answer to a callback that nobody awaits.
            self.executor.run()
            #expect(self.tracker.aliveLabels == [], comment)
        }
    }

    @Test(arguments: Self.programs)
    func `at every step`(of program: [Wait]) async throws {
        // How many jobs the program takes when nobody cancels it.
        let whole = Run()
        let task = whole.start(program)
        var jobs = 0
        while whole.log.events.last != "end" {
            try await whole.executor.run(jobs: 1)
            jobs += 1
        }
        whole.check(await task.result, isCancelled: false, "\(program), not cancelled")

        for step in 0...jobs {
            let run = Run()
            let task = run.start(program)
            try await run.executor.run(jobs: step)
            task.cancel()
            let result = await run.executor.runToResult(of: task)
            run.check(result, isCancelled: true, "\(program), cancelled after \(step) of \(jobs) jobs")
        }
    }
}

extension ManualExecutor {
    fileprivate func runToResult<Value: Sendable>(of task: Task<Value, any Error>) async -> Result<Value, any Error> {
        do { return .success(try await self.run(untilEndOf: task)) } catch { return .failure(error) }
    }
}
