// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// A coroutine of a task is a part of the task: everything that belongs to the task is there, before and after each
/// wait.
@Suite("The surroundings of a coroutine", .timeLimit(.minutes(10)))
struct TaskContextTests {
    @TaskLocal static var outside = "unbound"
    @TaskLocal static var inside = "unbound"

    @Test func `task locals bound outside`() async throws {
        let values = try await Self.$outside.withValue("bound") {
            try await withCoroutine {
                var values = [Self.outside]
                try Coroutine.yield()
                values.append(Self.outside)
                values.append(try Coroutine.await { Self.outside })
                values.append(Self.outside)
                return values
            }
        }
        #expect(values == ["bound", "bound", "bound", "bound"])
    }

    @Test func `task locals bound inside around a suspension`() async throws {
        let threads = ThreadPair()
        let task = Task(executorPreference: threads) {
            try await withCoroutine {
                var values: [String] = []
                for round in 0..<100 {
                    try Self.$inside.withValue("outer \(round)") {
                        try Coroutine.await { await threads.hop() }
                        try Self.$inside.withValue("inner \(round)") {
                            let seen = try Coroutine.await {
                                await threads.hop()
                                return await Task { Self.inside }.value
                            }
                            guard seen == "inner \(round)", Self.inside == seen else { values.append(seen); return }
                        }
                        try Coroutine.await { await threads.hop() }
                        guard Self.inside == "outer \(round)" else { values.append(Self.inside); return }
                    }
                }
                values.append(Self.inside)
                return values
            }
        }
        #expect(try await task.value == ["unbound"])
    }

    @Test func `task locals bound in an operation`() async throws {
        let values = try await withCoroutine {
            let within = try Coroutine.await {
                await Self.$inside.withValue("bound") {
                    await Task.yield()
                    return Self.inside
                }
            }
            return [within, Self.inside]
        }
        #expect(values == ["bound", "unbound"])
    }

    /// An error leaves the scope of a value while it is bound, after a suspension.
    @Test func `task locals are unbound by errors`() async throws {
        struct Failure: Error {}
        let value = try await withCoroutine {
            for _ in 0..<10 {
                #expect(throws: Failure.self) {
                    try Self.$inside.withValue("bound") {
                        try Coroutine.yield()
                        try Coroutine.await {
                            await Task.yield()
                            throw Failure()
                        }
                    }
                }
            }
            return Self.inside
        }
        #expect(value == "unbound")
    }

    @Test(arguments: [TaskPriority.high, .medium, .low, .background])
    func priority(_ priority: TaskPriority) async throws {
        // Not awaited, which would raise it.
        let log = EventLog()
        Task.detached(priority: priority) {
            try await withCoroutine {
                log.record("\(Task.currentPriority.rawValue)")
                try Coroutine.yield()
                log.record("\(Task.currentPriority.rawValue)")
                try Coroutine.await { log.record("\(Task.currentPriority.rawValue)") }
            }
        }
        try await log.events(atLeast: 3)
        #expect(log.events == Array(repeating: "\(priority.rawValue)", count: 3))
    }

    @Test func `cancellation is seen`() async throws {
        let executor = ManualExecutor()
        let log = EventLog()
        let task = Task(executorPreference: executor) {
            try await withCoroutine {
                log.record("\(Task.isCancelled) \(Coroutine.isCancelled)")
                try Coroutine.yield()
                log.record("\(Task.isCancelled) \(Coroutine.isCancelled)")
                #expect(throws: CancellationError.self) { try Coroutine.checkCancellation() }
                #expect(throws: CancellationError.self) { try Coroutine.yield() }
            }
        }
        executor.runOne()
        task.cancel()
        try await executor.run(untilEndOf: task)
        #expect(log.events == ["false false", "true true"])
    }

    @Test func `it is the same task`() async throws {
        func identity() -> Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }
        let outside = identity()
        let inside = try await withCoroutine {
            let first = identity()
            try Coroutine.yield()
            return [first, try Coroutine.await { identity() }, identity()]
        }
        #expect(inside == [outside, outside, outside])
    }

    // MARK: Where code is

    @Test func `inside and outside`() async throws {
        func ask() -> Bool { Coroutine.isInsideCoroutine }
        #expect(!ask())
        let answers = try await withCoroutine {
            var answers = [ask()]
            // The operation runs in the task, but not in the coroutine.
            answers.append(try Coroutine.await { ask() })
            try Coroutine.yield()
            return answers + [ask()]
        }
        #expect(answers == [true, false, true])
        #expect(!ask())
    }

    @Test func `outside a coroutine waits throw`() async {
        func yield() throws { try Coroutine.yield() }
        func operation() throws -> Int { try Coroutine.await { 1 } }
        func callback() throws { try Coroutine.await { done in done() } }
        func delay() throws { try Coroutine.delay(.seconds(100)) }
        func sequence() throws { try Coroutine.forEach(AsyncStream<Int> { $0.finish() }) { _ in } }
        for wait in [yield, { _ = try operation() }, callback, delay, sequence] {
            #expect(throws: CoroutineError.outsideCoroutine) { try wait() }
        }
    }

    /// A delay uses the clock that it is given.
    @Test func delay() async throws {
        let clock = TestClock()
        let log = EventLog()
        let task = Task {
            try await withCoroutine {
                log.expect(1)
                try Coroutine.delay(.seconds(1000), clock: clock)
                log.finish(3)
            }
        }
        try await clock.sleepers(atLeast: 1)
        log.expect(2)
        clock.advance(by: .seconds(1000))
        try await task.value
        #expect(log.finished() == [])
    }
}
