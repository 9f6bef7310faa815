// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Testing

/// One call: what it gives and takes along, on a thread and in a coroutine.
@Suite("blockingAwait", .timeLimit(.minutes(10)))
struct BlockingAwaitTests {
    @TaskLocal static var local = "unbound"

    final class NotSendable {
        var number: Int

        init(_ number: Int) { self.number = number }
    }

    // MARK: Results

    @Test(arguments: BlockingPlace.allCases)
    func gives(place: BlockingPlace) async throws {
        try await place.run(1) { _ in
            try #expect(blockingAwait { 1 } == 1)
            try #expect(blockingAwait { await BlockingWork.yield.perform(2) } == 2)
            try blockingAwait { await Task.yield() }
        }
    }

    @Test(arguments: BlockingPlace.allCases)
    func `throws what the operation throws`(place: BlockingPlace) async throws {
        try await place.run(1) { _ in
            #expect(throws: Failure(1)) { try blockingAwait { throw Failure(1) } }
            #expect(throws: Failure(2)) {
                try blockingAwait {
                    await Task.yield()
                    throw Failure(2)
                }
            }
        }
    }

    @Test(arguments: BlockingPlace.allCases)
    func `results need not be sendable`(place: BlockingPlace) async throws {
        try await place.run(1) { _ in
            let object = try blockingAwait {
                await Task.yield()
                return NotSendable(1)
            }
            object.number += 1
            #expect(object.number == 2)
        }
    }

    /// The operation does not escape, and may use what lies on the caller's stack.
    @Test(arguments: BlockingPlace.allCases)
    func `captures are the caller's`(place: BlockingPlace) async throws {
        try await place.run(1) { _ in
            let object = NotSendable(0)
            var sum = 0
            try blockingAwait {
                for number in 1...10 {
                    await Task.yield()
                    object.number += 1
                    sum += number
                }
            }
            #expect(object.number == 10)
            #expect(sum == 55)
        }
    }

    /// Whatever the operation made or captured is gone when the call returns, but for its result.
    @Test(arguments: BlockingPlace.allCases)
    func `leaves nothing behind`(place: BlockingPlace) async throws {
        try await place.run(1) { _ in
            let tracker = LifetimeTracker()
            func call() throws {
                let captured = tracker.token("captured")
                let result = try blockingAwait {
                    let made = tracker.token("made")
                    await Task.yield()
                    withExtendedLifetime((captured, made)) {}
                    return tracker.token("result")
                }
                #expect(tracker.aliveLabels == ["captured", "result"])
                withExtendedLifetime((captured, result)) {}
            }
            try call()
            #expect(tracker.alive == 0, "\(tracker.aliveLabels)")
            #expect(throws: Failure.self) {
                let captured = tracker.token("captured")
                try blockingAwait {
                    withExtendedLifetime(captured) {}
                    await Task.yield()
                    throw Failure()
                }
            }
            #expect(tracker.alive == 0, "\(tracker.aliveLabels)")
        }
    }

    @Test func `one after the other`() async throws {
        try await BlockingPlace.thread.run(1) { _ in
            var sum = 0
            for number in 1...1000 { sum += try blockingAwait { await BlockingWork.yield.perform(number) } }
            #expect(sum == 500_500)
        }
    }

    // MARK: Where the operation runs

    @Test func `on a thread, the operation runs on it`() async throws {
        try await BlockingPlace.thread.run(1) { _ in
            let caller = ObjectIdentifier(Thread.current)
            try blockingAwait {
                #expect(ObjectIdentifier(thisThread()) == caller)
                await Task.yield()
                #expect(ObjectIdentifier(thisThread()) == caller)
                await withTaskGroup { group in
                    for _ in 0..<4 { group.addTask { #expect(ObjectIdentifier(thisThread()) == caller) } }
                }
            }
        }
    }

    @Test func `on a thread, the operation is on no actor`() async throws {
        try await BlockingPlace.thread.run(1) { _ in
            let isolation = try blockingAwait { () async -> (any Actor)? in #isolation }
            #expect(isolation == nil)
        }
    }

    @MainActor
    @Test func `in a coroutine, the operation is on its actor`() async throws {
        try await withCoroutine {
            try blockingAwait {
                MainActor.assertIsolated()
                await Task.yield()
                MainActor.assertIsolated()
            }
        }
    }

    // Not on a scheduler, where no task keeps what is bound across a wait.
    @Test(arguments: BlockingPlace.allCases.filter { $0 != .coroutineOnAQueue })
    func `task locals`(place: BlockingPlace) async throws {
        try await place.run(1) { _ in
            let seen = try Self.$local.withValue("bound") {
                try blockingAwait {
                    let before = Self.local
                    await Task.yield()
                    return [before, Self.local]
                }
            }
            #expect(seen == ["bound", "bound"])
            try #expect(blockingAwait { Self.local } == "unbound")
        }
    }

    /// Where the system does not tell a thread's priority, as on Linux, it is that of tasks that are given none.
    @Test(arguments: [DispatchQoS.QoSClass.userInitiated, .utility])
    func priority(qos: DispatchQoS.QoSClass) async throws {
        let priorities = Collected<TaskPriority>()
        let ended = EventLog()
        DispatchQueue.global(qos: qos).async {
            priorities.append(Task.currentPriority)
            #expect(throws: Never.self) { priorities.append(try blockingAwait { Task.currentPriority }) }
            ended.record("end")
        }
        try await ended.events(atLeast: 1)
        let priority = try #require(priorities.all.first)
        #expect(priorities.all == [priority, priority.rawValue == 0 ? .medium : priority])
    }

    // MARK: Cancellation

    @Test func `on a thread, the operation may cancel itself`() async throws {
        try await BlockingPlace.thread.run(1) { _ in
            #expect(throws: CancellationError.self) {
                try blockingAwait {
                    withUnsafeCurrentTask { $0?.cancel() }
                    await Task.yield()
                    try Task.checkCancellation()
                }
            }
            try #expect(blockingAwait { Task.isCancelled } == false, "the next call has a task of its own")
        }
    }

    @Test(arguments: [BlockingPlace.coroutineInATask, .coroutineOnAQueue])
    func `in a coroutine, cancellation reaches the operation`(place: BlockingPlace) async throws {
        let gate = Gate()
        let log = EventLog()
        let body = { @Sendable in
            #expect(throws: CancellationError.self) { try blockingAwait { try await gate.pass() } }
            #expect(throws: CancellationError.self) { try blockingAwait { log.unreached() } }
            log.finish(1)
        }
        let cancel: @Sendable () -> Void
        if place == .coroutineInATask {
            let task = Task { try await withCoroutine { body() } }
            cancel = { task.cancel() }
        } else {
            let coroutine = DispatchQueue.global().startCoroutine(task: body)
            cancel = { coroutine.cancel() }
        }
        try await gate.arrivals(atLeast: 1)
        cancel()
        try await log.events(atLeast: 1)
        #expect(log.finished() == [])
    }

    // MARK: Within each other

    @Test(arguments: BlockingPlace.allCases)
    func `in a coroutine in the operation`(place: BlockingPlace) async throws {
        try await place.run(1) { _ in
            let result = try blockingAwait {
                try await withCoroutine {
                    let inner = try blockingAwait { await BlockingWork.yield.perform(1) }
                    return inner + (try Coroutine.await { await BlockingWork.anActor.perform(1) })
                }
            }
            #expect(result == 2)
        }
    }

    /// The operation waits for another thread, which blocks too.
    @Test(arguments: BlockingPlace.allCases)
    func `on another thread for the operation`(place: BlockingPlace) async throws {
        try await place.run(1) { _ in
            let result = try blockingAwait {
                try await onThread { try blockingAwait { await BlockingWork.childTasks.perform(7) } }
            }
            #expect(result == 7)
        }
    }

    @Test func `in a generator`() async throws {
        try await BlockingPlace.thread.run(1) { _ in
            let numbers = Generator<Int> { yield in
                for number in 1...3 {
                    try yield(try blockingAwait { await BlockingWork.anActor.perform(number) })
                }
            }
            #expect(Array(numbers) == [1, 2, 3])
        }
    }
}

/// `Thread.current`, for async code.
private func thisThread() -> Thread { Thread.current }
