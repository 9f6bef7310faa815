// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// Coroutines, tasks and jobs within each other.
@Suite("Coroutines within coroutines", .timeLimit(.minutes(10)))
struct NestingTests {
    struct Failure: Error, Equatable { let depth: Int }

    @Test func `in an operation`() async throws {
        let result = try await withCoroutine {
            let inner = try Coroutine.await {
                try await withCoroutine {
                    try Coroutine.yield()
                    return try Coroutine.await {
                        await Task.yield()
                        return 20
                    }
                }
            }
            try Coroutine.yield()
            return inner + 1
        }
        #expect(result == 21)
    }

    @Test func deep() async throws {
        func nest(_ depth: Int) async throws -> Int {
            if depth == 0 { return 0 }
            return try await withCoroutine {
                try Coroutine.yield()
                let below = try Coroutine.await { try await nest(depth - 1) }
                try Coroutine.yield()
                return below + 1
            }
        }
        #expect(try await nest(200) == 200)
    }

    @Test func `errors come through all of them`() async throws {
        func nest(_ depth: Int, _ log: EventLog) async throws {
            try await withCoroutine {
                defer { log.record("\(depth)") }
                try Coroutine.await {
                    await Task.yield()
                    if depth == 100 { throw Failure(depth: depth) }
                    try await nest(depth + 1, log)
                }
            }
        }
        let log = EventLog()
        await #expect(throws: Failure(depth: 100)) { try await nest(1, log) }
        #expect(log.events == (1...100).reversed().map(String.init))
    }

    @Test func `task group in a coroutine`() async throws {
        let sum = try await withCoroutine {
            let numbers = try (1...10).map { base in
                try Coroutine.await {
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for number in 1...10 {
                            group.addTask {
                                try await withCoroutine {
                                    try Coroutine.yield()
                                    return try Coroutine.await {
                                        await Task.yield()
                                        return base * number
                                    }
                                }
                            }
                        }
                        return try await group.reduce(0, +)
                    }
                }
            }
            return numbers.reduce(0, +)
        }
        #expect(sum == 55 * 55)
    }

    @Test func `child tasks`() async throws {
        func square(_ number: Int) async throws -> Int {
            try await withCoroutine {
                try Coroutine.yield()
                return number * number
            }
        }
        let sum = try await withCoroutine {
            try Coroutine.await {
                async let first = square(3)
                async let second = square(4)
                return try await first + second
            }
        }
        #expect(sum == 25)
    }

    @Test func `many at once`() async throws {
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<100 {
                group.addTask {
                    try await withCoroutine {
                        var sum = 0
                        for number in 0..<100 {
                            sum += try Coroutine.await {
                                if number.isMultiple(of: 7) { await Task.yield() }
                                return number * task
                            }
                        }
                        return sum
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums.sorted() == (0..<100).map { $0 * 4950 })
    }

    // MARK: Other tasks on a coroutine's stack

    /// A task that begins at once runs on the stack of the coroutine that starts it, but is no part of it.
    ///
    /// Were the coroutine left from there, its driver would go on in the wrong task.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `immediate task`() async throws {
        func wait() throws { try Coroutine.yield() }
        let log = EventLog()
        let outer = try await withCoroutine {
            let task = Task.immediate {
                log.record("immediate: \(Coroutine.isInsideCoroutine)")
                #expect(throws: CoroutineError.outsideCoroutine) { try wait() }
                await Task.yield()
                log.record("later: \(Coroutine.isInsideCoroutine)")
                #expect(throws: CoroutineError.outsideCoroutine) { try wait() }
            }
            log.record("coroutine: \(Coroutine.isInsideCoroutine)")
            try Coroutine.await { await task.value }
            try wait()
            return Coroutine.isInsideCoroutine
        }
        #expect(outer)
        // The task goes on by itself: whether before or after the coroutine, is not said.
        #expect(log.events.first == "immediate: false")
        #expect(log.events.sorted() == ["coroutine: true", "immediate: false", "later: false"])
    }

    /// A coroutine of its own in such a task is all right, and outlives its start.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test func `coroutine in an immediate task`() async throws {
        let result = try await withCoroutine {
            let task = Task.immediate {
                try await withCoroutine {
                    var steps = [Coroutine.isInsideCoroutine]
                    for _ in 0..<10 {
                        try Coroutine.yield()
                        steps.append(Coroutine.isInsideCoroutine)
                    }
                    return steps
                }
            }
            for _ in 0..<10 { try Coroutine.yield() }
            return try Coroutine.await { try await task.value }
        }
        #expect(result == Array(repeating: true, count: 11))
    }

    /// An executor whose jobs some synchronous function runs, on whatever stack that is.
    @Test func `jobs on a coroutine's stack`() async throws {
        func wait() throws { try Coroutine.yield() }
        let (executor, log) = (ManualExecutor(), EventLog())
        try await withCoroutine {
            let task = Task(executorPreference: executor) {
                log.record("job: \(Coroutine.isInsideCoroutine)")
                #expect(throws: CoroutineError.outsideCoroutine) { try wait() }
                try await withCoroutine {
                    log.record("its coroutine: \(Coroutine.isInsideCoroutine)")
                    try wait()
                    log.record("its coroutine: \(Coroutine.isInsideCoroutine)")
                }
            }
            executor.runOne()
            log.record("coroutine: \(Coroutine.isInsideCoroutine)")
            try wait()
            while log.events.count < 4 {
                try Coroutine.await { try await executor.jobs(atLeast: 1) }
                executor.run()
            }
            try Coroutine.await { try await task.value }
        }
        #expect(
            log.events == ["job: false", "its coroutine: true", "coroutine: true", "its coroutine: true"]
        )
    }

    /// A coroutine of a scheduler that runs its steps at once, on the stack of the one that starts it.
    @Test func `scheduled on a coroutine's stack`() async throws {
        struct AtOnce: CoroutineScheduler {
            func scheduleTask(_ task: @escaping @Sendable () -> Void) { task() }
        }
        let (log, tracker) = (EventLog(), LifetimeTracker())
        try await withCoroutine {
            let token = tracker.token()
            AtOnce().startCoroutine {
                defer { withExtendedLifetime(token) {} }
                log.record("inner: \(Coroutine.isInsideCoroutine)")
                try Coroutine.await { await Task.yield() }
                log.record("inner: \(Coroutine.isInsideCoroutine)")
            }
            log.record("outer: \(Coroutine.isInsideCoroutine)")
            try Coroutine.yield()
        }
        try await tracker.allReleased()
        #expect(log.events.sorted() == ["inner: true", "inner: true", "outer: true"])
    }
}
