// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Dispatch
import Testing

/// Code of another task that runs on a coroutine's stack: it can wait in no way, since the coroutine is not its own.
///
/// Were the coroutine left from there, its driver would go on in the wrong task.
@Suite("Another task on a coroutine's stack", .timeLimit(.minutes(10)))
struct OtherTaskTests {
    /// Where the coroutine runs that starts the other task.
    enum Home: CaseIterable {
        case task
        case queue
        /// Each step is a task of its own.
        case executor
        case scope
        case generator
        case asynchronousGenerator

        /// Runs the code in such a coroutine.
        func run(_ body: @escaping @Sendable () throws -> Void) async throws {
            switch self {
            case .task: try await withCoroutine { try body() }
            case .queue: await DispatchQueue(label: "queue").startCoroutine { try body() }.ended()
            case .executor:
                await SerialExecutorScheduler(ExecutorTests.QueueExecutor()).startCoroutine { try body() }.ended()
            case .scope: try await withCoroutine { try Coroutine.withScope { _ in try body() } }
            case .generator: try await withCoroutine { for _ in Generator(of: Int.self, { _ in try body() }) {} }
            case .asynchronousGenerator: for try await _ in AsyncGenerator(of: Int.self, { _ in try body() }) {}
            }
        }
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test(arguments: Home.allCases)
    func `cannot wait`(home: Home) async throws {
        let log = EventLog()
        // A plain `for` over a sequence that waits ends the process outside a coroutine, and says so.
        let ways = WayToWait.all.filter { $0.testDescription != "sequence" }
        try await home.run {
            Task.immediate {
                for way in ways { way.attempt(log) }
                log.record("inside: \(Coroutine.isInsideCoroutine)")
            }
            // At once, and the coroutine is where it was.
            log.record("coroutine: \(Coroutine.isInsideCoroutine)")
            try Coroutine.await { await Task.yield() }
            log.record("went on")
        }
        #expect(log.events.suffix(3) == ["inside: false", "coroutine: true", "went on"])
        let outcomes = log.events.dropLast(3)
        #expect(outcomes.count == ways.count)
        let refusals = ["refused", "\(CoroutineError.outsideCoroutine)", "\(CoroutineError.wouldBlockTask)"]
        for (way, outcome) in zip(ways, outcomes) { #expect(refusals.contains(outcome), "\(way): \(outcome)") }
    }

    /// Jobs that a function of the coroutine runs, as a run loop does.
    @Test(arguments: Home.allCases)
    func `cannot wait in jobs that the coroutine runs`(home: Home) async throws {
        let (executor, log) = (ManualExecutor(), EventLog())
        let ways = WayToWait.all.filter { $0.testDescription != "sequence" }
        let task = Task(executorPreference: executor) { for way in ways { way.attempt(log) } }
        try await executor.jobs(atLeast: 1)
        try await home.run {
            executor.run()
            log.record("coroutine: \(Coroutine.isInsideCoroutine)")
            try Coroutine.await { await Task.yield() }
            log.record("went on")
        }
        await task.value
        #expect(log.events.suffix(2) == ["coroutine: true", "went on"])
        let refusals = ["refused", "\(CoroutineError.outsideCoroutine)", "\(CoroutineError.wouldBlockTask)"]
        #expect(log.events.count == ways.count + 2)
        for (way, outcome) in zip(ways, log.events) { #expect(refusals.contains(outcome), "\(way): \(outcome)") }
    }

    /// What wakes a coroutine there does not make it part of that task.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test(arguments: Home.allCases)
    func `wakes another coroutine`(home: Home) async throws {
        let (log, promise) = (EventLog(), CoPromise<Int>())
        let scheduler = ManualScheduler()
        let waiter = scheduler.startCoroutine {
            log.record("got \(try promise.await()), \(Coroutine.isInsideCoroutine)")
            try Coroutine.yield()
            log.record("yielded, \(Coroutine.isInsideCoroutine)")
        }
        scheduler.run()
        try await home.run {
            Task.immediate {
                promise.success(1)
                scheduler.run()
                log.record("inside: \(Coroutine.isInsideCoroutine)")
            }
            try Coroutine.await { await Task.yield() }
            log.record("went on, \(Coroutine.isInsideCoroutine)")
        }
        await waiter.ended()
        #expect(log.events == ["got 1, true", "yielded, true", "inside: false", "went on, true"])
    }

    /// Code that an actor's `assumeIsolated` runs is the coroutine's own.
    @MainActor @Test func `waits in assumeIsolated`() async throws {
        let steps = try await withCoroutine {
            try MainActor.assumeIsolated {
                var steps = [Coroutine.isInsideCoroutine]
                try Coroutine.await { await Task.yield() }
                steps.append(Coroutine.isInsideCoroutine)
                MainActor.assertIsolated()
                return steps
            }
        }
        #expect(steps == [true, true])
        let log = EventLog()
        await DispatchQueue.main.startCoroutine {
            try MainActor.assumeIsolated {
                try Coroutine.await { await Task.yield() }
                MainActor.assertIsolated()
                log.record("went on")
            }
        }.ended()
        #expect(log.events == ["went on"])
    }
}
