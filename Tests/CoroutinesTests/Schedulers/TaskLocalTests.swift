// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Foundation
import Testing

/// A coroutine on a scheduler has no task, so Swift binds task-locals to its thread.
@Suite("Task-locals on a scheduler", .timeLimit(.minutes(10)))
struct TaskLocalTests {
    @TaskLocal static var local = "unbound"

    @Test func `between waits, they are those of the code`() {
        let (scheduler, seen) = (ManualScheduler(), Collected<String>())
        scheduler.startCoroutine {
            for name in ["first", "second"] {
                Self.$local.withValue(name) { seen.append(Self.local) }
                try Coroutine.yield()
                seen.append(Self.local)
            }
        }
        scheduler.run()
        #expect(seen.all == ["first", "unbound", "second", "unbound"])
    }

    @Test func `in an operation, they may be bound across an await`() async throws {
        let (scheduler, seen) = (ManualScheduler(), Collected<String>())
        let handle = scheduler.startCoroutine {
            let name = try Coroutine.await {
                await Self.$local.withValue("bound") {
                    await Task.yield()
                    return Self.local
                }
            }
            seen.append(name)
            seen.append(Self.local)
        }
        scheduler.run()
        try await scheduler.arrivals(atLeast: 2)
        scheduler.run()
        await handle.ended()
        #expect(seen.all == ["bound", "unbound"])
    }

    /// The task inherits what the step has bound, the engine's own mark included.
    @Test func `a task of one step may run the next on its thread`() async throws {
        let seen = Collected<String>()
        let promise = CoPromise<Int>()
        let coroutine = ImmediateScheduler().startCoroutine(onError: { seen.append("\($0)") }) {
            let value = try Self.$local.withValue("bound") {
                CoFuture {
                    promise.success(7)
                    return Self.local
                }
            }.await()
            seen.append(value)
            seen.append("\(try promise.await())")
            #expect(throws: CoFutureError.self) { try CoPromise<Int>().await(timeout: .milliseconds(1)) }
            for number in 0..<3 { seen.append("\(try CoFuture { "\(number)" }.await())") }
        }
        await coroutine.ended()
        #expect(seen.all == ["bound", "7", "0", "1", "2"])
    }

    /// On this scheduler the coroutine goes on in the task that wakes it.
    @Test func `an operation does not see those of a task that has woken the coroutine`() async throws {
        let (channel, seen) = (CoChannel<Int>(), Collected<String>())
        let coroutine = ImmediateScheduler().startCoroutine {
            _ = try channel.awaitReceive()
            seen.append(try Coroutine.await { Self.local })
        }
        try await Self.$local.withValue("somebody else's") { try await channel.send(1) }
        await coroutine.ended()
        #expect(seen.all == ["unbound"])
    }

    /// Each step is run by a task that the step before has started.
    @Test func `a task that a step started may run the next step`() async {
        let seen = Collected<Int>()
        struct Tasks: CoroutineScheduler {
            func scheduleTask(_ task: @escaping @Sendable () -> Void) { Task { task() } }
        }
        let coroutine = Tasks().startCoroutine {
            for number in 0..<3 {
                seen.append(number)
                try Coroutine.yield()
            }
        }
        await coroutine.ended()
        #expect(seen.all == [0, 1, 2])
    }

    #if DEBUG
    /// Found in debug builds only.
    @Test func `bound across a wait, they end the process with advice`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scheduler = ManualScheduler()
            scheduler.startCoroutine { try Self.$local.withValue("bound") { try Coroutine.yield() } }
            scheduler.run()
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("waits inside 'withValue' of a task-local"))
    }
    #endif
}
