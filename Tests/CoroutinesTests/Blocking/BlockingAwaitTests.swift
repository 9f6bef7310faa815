// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("blockingAwait", .timeLimit(.minutes(1)))
struct BlockingAwaitTests {
    // MARK: Results

    @Test func onAPlainThread_itReturnsWhatTheOperationReturns() async throws {
        let result = try await onThread {
            try blockingAwait {
                await Task.yield()
                return "result"
            }
        }
        #expect(result == "result")
    }

    @Test func onAPlainThread_itThrowsWhatTheOperationThrows() async {
        await #expect(throws: Failure(7)) {
            try await onThread {
                try blockingAwait {
                    await Task.yield()
                    throw Failure(7)
                }
            }
        }
    }

    /// Neither the operation nor its result is `Sendable`, and neither outlives the call.
    @Test func whatIsNotSendable_goesInAndOut() async throws {
        final class Box {
            var number: Int
            init(_ number: Int) { self.number = number }
        }
        let tracker = LifetimeTracker()
        let number = try await onThread {
            let token = tracker.token("captured")
            var box = Box(1)
            box = try blockingAwait {
                withExtendedLifetime(token) {}
                await Task.yield()
                return Box(2)
            }
            return box.number
        }
        #expect(number == 2)
        #expect(tracker.aliveLabels == [])
    }

    @Test func itRunsTheOperationOnTheThreadItself() async throws {
        let isSame = try await onThread {
            let thread = pthread_self()
            return try blockingAwait {
                let before = pthread_equal(thread, pthread_self()) != 0
                await Task.yield()
                return before && pthread_equal(thread, pthread_self()) != 0
            }
        }
        #expect(isSame)
    }

    @TaskLocal static var name = "none"

    @Test func taskLocalsOfTheThreadAreTheOperations() async throws {
        let (name, inner) = try await onThread {
            try Self.$name.withValue("thread") {
                try blockingAwait { (Self.name, Self.$name.withValue("inner") { Self.name }) }
            }
        }
        #expect(name == "thread")
        #expect(inner == "inner")
    }

    @Test func anOperationThatCancelsItself_ends() async {
        await #expect(throws: CancellationError.self) {
            try await onThread {
                try blockingAwait {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await Task.sleep(for: .seconds(1000))
                }
            }
        }
    }

    @Test func aLongOperation_mayUseActorsChildTasksAndOtherThreads() async throws {
        let sum = try await onThread {
            try blockingAwait {
                let counter = Counter()
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<10 { group.addTask { await counter.add(1) } }
                }
                async let other = withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume(returning: 5) }
                }
                return await counter.value + (await other)
            }
        }
        #expect(sum == 15)
    }

    // MARK: Many at once

    static let cores = ProcessInfo.processInfo.activeProcessorCount
    static let counts = [Self.cores, Self.cores + 1, 4 * Self.cores, 64]

    @Test("as many as cores, and more, on threads", arguments: counts)
    func manyThreads(_ count: Int) async throws {
        let barrier = Barrier(count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { try await onThread { try blockingAwait { try await barrier.pass() } } }
            }
            try await group.waitForAll()
        }
        #expect(await barrier.arrivals == count)
    }

    @Test("as many as cores, and more, in coroutines inside tasks", arguments: counts)
    func manyCoroutines(_ count: Int) async throws {
        let barrier = Barrier(count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask { try await withCoroutine { try blockingAwait { try await barrier.pass() } } }
            }
            try await group.waitForAll()
        }
        #expect(await barrier.arrivals == count)
    }

    /// Each queue's thread is blocked, and runs what it waits for.
    @Test("as many as cores, and more, on queues", arguments: counts)
    func manyQueues(_ count: Int) async throws {
        let counter = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await withCallback(of: Void.self) { callback in
                        DispatchQueue(label: "blocked \(number)").async {
                            callback.resume(
                                with: Result {
                                    try blockingAwait {
                                        await Task.yield()
                                        await counter.add(1)
                                    }
                                }
                            )
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await counter.value == count)
    }

    /// While the pool is as busy as it can be.
    @Test func threadsDoNotWaitForThePool() async throws {
        let gate = Gate()
        let counter = Counter()
        async let blocked: Void = withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<(2 * Self.cores) {
                group.addTask {
                    try await onThread {
                        try blockingAwait {
                            try await gate.pass()
                            await counter.add(1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await gate.arrivals(atLeast: 2 * Self.cores)
        gate.open()
        try await blocked
        #expect(await counter.value == 2 * Self.cores)
    }

    // MARK: Refusals

    @Test("in tasks all are refused at once", arguments: counts)
    func refusedInTasks(_ count: Int) async {
        let errors = await withTaskGroup(of: CoroutineError?.self) { group in
            for _ in 0..<count { group.addTask { Self.refusal() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors == Array(repeating: .wouldBlockTask, count: count))
    }

    @Test func refusedInTasksOfEveryKind() async {
        #expect(await Task.detached { Self.refusal() }.value == .wouldBlockTask)
        #expect(await Task(executorPreference: ThreadPair()) { Self.refusal() }.value == .wouldBlockTask)
        #expect(await Counter().ask { Self.refusal() } == .wouldBlockTask)
        #expect(await Task.immediate { Self.refusal() }.value == .wouldBlockTask)
    }

    @Test func refusedOnTheMainThread() async {
        #expect(await MainActor.run { Self.refusal() } == .wouldBlockMainThread)
        let onQueue = await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume(returning: Self.refusal()) }
        }
        #expect(onQueue == .wouldBlockMainThread)
    }

    /// A coroutine of the main actor is in no danger: it suspends.
    @Test @MainActor func onTheMainThreadInACoroutine_itSuspends() async throws {
        let number = try await withCoroutine {
            try blockingAwait {
                await Task.yield()
                MainActor.assertIsolated()
                return 1
            }
        }
        #expect(number == 1)
    }

    /// The operation is a task on the blocked thread; what it calls may suspend in a coroutine, or is refused.
    @Test func withinAnOperation_itIsRefusedOutsideACoroutine() async throws {
        let (refusal, inner) = try await onThread {
            try blockingAwait {
                (Self.refusal(), try await withCoroutine { try blockingAwait { 2 } })
            }
        }
        #expect(refusal == .wouldBlockTask)
        #expect(inner == 2)
    }

    /// A body that is resumed by the one who waits, on a thread of nobody's.
    @Test func inAGeneratorOnAPlainThread_itBlocks() async throws {
        let numbers = try await onThread {
            Array(Generator { yield in for number in 0..<3 { try yield(try blockingAwait { number }) } })
        }
        #expect(numbers == [0, 1, 2])
    }

    @Test func theErrorsSayWhatToDo() {
        #expect("\(CoroutineError.wouldBlockTask)".contains("withCoroutine"))
        #expect("\(CoroutineError.wouldBlockMainThread)".contains("MainActor.startCoroutine"))
    }

    /// The error of a call that must not begin its operation.
    private static func refusal() -> CoroutineError? {
        do {
            let _: Void = try blockingAwait { Issue.record("A refused operation was begun") }
            return nil
        } catch {
            return error as? CoroutineError
        }
    }

    // MARK: In a coroutine

    @Test func inACancelledCoroutine_theOperationIsNotBegun() async {
        let task = Task {
            try await withCoroutine {
                withUnsafeCurrentTask { $0?.cancel() }
                let _: Void = try blockingAwait { Issue.record("An operation was begun in a cancelled coroutine") }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func inACoroutineOnAQueue_itSuspends() async throws {
        let queue = DispatchQueue(label: "queue")
        let log = EventLog()
        let handle = queue.startCoroutine {
            let _: Void = try blockingAwait {
                // Were the queue's thread blocked, this would never run.
                await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
            }
            log.record("end")
        }
        await handle.ended()
        #expect(log.events == ["end"])
    }
}

private actor Counter {
    private(set) var value = 0

    func add(_ number: Int) { self.value += number }

    func ask(_ question: @Sendable () -> CoroutineError?) -> CoroutineError? { question() }
}

/// Nobody passes before all have come.
private actor Barrier {
    private let count: Int
    private(set) var arrivals = 0
    private let gate = Gate()

    init(_ count: Int) { self.count = count }

    func pass() async throws {
        self.arrivals += 1
        if self.arrivals == self.count { self.gate.open() }
        try await self.gate.pass()
    }
}
