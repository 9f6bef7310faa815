// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Testing

/// Waits for callbacks in synchronous code.
@Suite("Coroutine.await of a callback", .timeLimit(.minutes(10)))
struct CallbackAwaitTests {
    struct APIError: Error, Equatable {}

    /// Runs synchronous code in a coroutine on an executor, until nothing is left to do.
    static func run<Value: Sendable>(
        _ executor: ManualExecutor,
        _ body: @escaping @Sendable () throws -> Value
    ) -> Task<Value, any Error> {
        let task = Task(executorPreference: executor) { try await withCoroutine { try body() } }
        executor.run()
        return task
    }

    @Test func `answered at once is not left`() async throws {
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) {
            try await withCoroutine {
                var sum = 0
                for number in 0..<100 { sum += try Coroutine.await { callback in callback.resume(returning: number) } }
                return sum
            }
        }
        // One job for all: nothing was suspended.
        #expect(executor.runOne())
        #expect(executor.isEmpty)
        #expect(try await task.value == 4950)
    }

    @Test func `answered late`() async throws {
        let executor = ManualExecutor()
        let task = Self.run(executor) {
            try (0..<10).map { number in
                try Coroutine.await { callback in executor.perform { callback.resume(returning: number) } }
            }
        }
        #expect(try await task.value == Array(0..<10))
    }

    @Test func `answered on another thread`() async throws {
        let threads = ThreadPair()
        let sum = try await withCoroutine {
            try (0..<1000).map { number in
                try Coroutine.await { (done: @escaping @Sendable (Int) -> Void) in
                    threads.perform(on: number.isMultiple(of: 2) ? .first : .second) { done(number) }
                }
            }.reduce(0, +)
        }
        #expect(sum == 499_500)
    }

    @Test(arguments: [false, true])
    func errors(isLate: Bool) async throws {
        let executor = ManualExecutor()
        let task = Self.run(executor) {
            #expect(throws: APIError()) {
                try Coroutine.await(of: Int.self) { callback in
                    if isLate {
                        executor.perform { callback.resume(throwing: APIError()) }
                    } else {
                        callback.resume(throwing: APIError())
                    }
                }
            }
        }
        _ = try await task.value
    }

    @Test func `start throws`() async throws {
        let error = try await withCoroutine {
            #expect(throws: APIError()) { try Coroutine.await(of: Int.self) { _ in throw APIError() } }
        }
        #expect(error == APIError())
    }

    @Test func dropped() async throws {
        let fault = try await withCoroutine {
            #expect(throws: BridgeFault.self) {
                try Coroutine.await(of: Int.self, fileID: "Test/Dropped", line: 7) { _ in }
            }
        }
        #expect(fault?.code == .callbackDropped)
        #expect(fault?.made == CallSite(fileID: "Test/Dropped", line: 7))
    }

    @Test func `dropped later`() async throws {
        let executor = ManualExecutor()
        let task = Self.run(executor) {
            #expect(throws: BridgeFault.self) {
                try Coroutine.await { (done: @escaping @Sendable (Int) -> Void) in
                    executor.perform { withExtendedLifetime(done) {} }
                }
            }?.code
        }
        #expect(try await task.value == .callbackDropped)
    }

    @Test func `timed out`() async throws {
        let (clock, log) = (TestClock(), EventLog())
        let task = Task {
            try await withCoroutine {
                #expect(throws: BridgeFault.self) {
                    try Coroutine.await(of: Int.self, timeout: .after(.seconds(5), on: clock)) { callback in
                        callback.onCancel { log.record("stopped") }
                        log.record("started")
                        // Keeps the callback, so that it is not dropped.
                        Task.detached {
                            try await log.events(atLeast: 2)
                            callback.resume(returning: 1)
                        }
                    }
                }?.code
            }
        }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        #expect(try await task.value == .timedOut)
        #expect(log.events == ["started", "stopped"])
    }

    /// What starts the work may wait as well, and is then a wait within a wait.
    @Test func `start waits`() async throws {
        let executor = ManualExecutor()
        let task = Self.run(executor) {
            try Coroutine.await { callback in
                let inner = try Coroutine.await { inner in executor.perform { inner.resume(returning: 20) } }
                executor.perform { callback.resume(returning: inner + 1) }
            }
        }
        #expect(try await task.value == 21)
    }

    @Test func `several values late`() async throws {
        let executor = ManualExecutor()
        let task = Self.run(executor) {
            try Coroutine.await { (done: @escaping @Sendable () -> Void) in executor.perform { done() } }
            let two: (Int, String) = try Coroutine.await { done in executor.perform { done(1, "two") } }
            let three: (Int, String, Bool) = try Coroutine.await { done in executor.perform { done(1, "two", true) } }
            let four: (Int, Int, Int, Int) = try Coroutine.await {
                (done: @escaping @Sendable (Int, Int, Int, Int) -> Void) in
                executor.perform { done(1, 2, 3, 4) }
            }
            return "\(two) \(three) \(four)"
        }
        #expect(try await task.value == #"(1, "two") (1, "two", true) (1, 2, 3, 4)"#)
    }
}
