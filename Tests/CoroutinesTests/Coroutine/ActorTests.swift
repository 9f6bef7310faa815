// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

/// A coroutine is where its caller is, right before and right after each suspension, wherever the operation went.
@Suite("A coroutine stays on its actor", .timeLimit(.minutes(10)))
struct ActorTests {
    /// An actor with an executor of its own.
    actor Custom {
        let executor: ManualExecutor
        var number = 0

        init(executor: ManualExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

        nonisolated func check() {
            self.assumeIsolated { $0.number += 1 }
            #expect(self.executor.isCurrent)
        }

        func run(_ log: EventLog) async throws {
            try await withCoroutine {
                self.check()
                try Coroutine.yield()
                self.check()
                try Coroutine.await { await elsewhere() }
                self.check()
                let local = self.number
                // The operation is on the actor as well, and reaches its state.
                try Coroutine.await {
                    self.number += 1
                    await elsewhere()
                    self.number += 1
                }
                self.check()
                #expect(self.number == local + 3)
            }
            self.check()
            log.record("done \(self.number)")
        }
    }

    actor Plain {
        var number = 0

        func run() async throws -> Int {
            try await withCoroutine {
                for _ in 0..<100 {
                    self.assertIsolated()
                    self.number += 1
                    try Coroutine.await { await elsewhere() }
                    self.assertIsolated()
                    self.number += 1
                    try Coroutine.await { try await Task.sleep(for: .nanoseconds(1)) }
                    self.assertIsolated()
                }
                return self.number
            }
        }
    }

    @MainActor final class Model {
        var steps = 0

        nonisolated func check() { MainActor.assumeIsolated { self.steps += 1 } }
    }

    @Test @MainActor func `main actor`() async throws {
        let model = Model()
        try await withCoroutine {
            for _ in 0..<100 {
                model.check()
                try Coroutine.yield()
                model.check()
                try Coroutine.await { await elsewhere() }
                model.check()
                try Coroutine.await {
                    model.steps += 1
                    await elsewhere()
                    model.steps += 1
                }
                model.check()
                // Deep in code that knows nothing of actors.
                let sum = try [1, 2, 3].map { number in
                    model.check()
                    return try Coroutine.await {
                        await elsewhere()
                        return number
                    }
                }.reduce(0, +)
                #expect(sum == 6)
                model.check()
            }
        }
        model.check()
        #expect(model.steps == 100 * 10 + 1)
    }

    @Test @MainActor func `main actor with callbacks`() async throws {
        let model = Model()
        try await withCoroutine {
            for _ in 0..<100 {
                let value = try Coroutine.await { (done: @escaping @Sendable (Int) -> Void) in
                    model.check()
                    Task.detached { done(1) }
                }
                model.steps += value
                model.check()
            }
        }
        #expect(model.steps == 300)
    }

    @Test func `plain actors`() async throws {
        let actors = (0..<4).map { _ in Plain() }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for actor in actors { group.addTask { try await actor.run() } }
            for try await number in group { #expect(number == 200) }
        }
    }

    @Test func `custom executor`() async throws {
        let (executor, log) = (ManualExecutor(), EventLog())
        let task = Task { try await Custom(executor: executor).run(log) }
        while log.events.isEmpty {
            try await executor.jobs(atLeast: 1)
            executor.run()
        }
        try await task.value
        #expect(log.events == ["done 7"])
    }

    /// Without an actor, a coroutine stays on the executor that its task prefers.
    @Test func `task executor`() async throws {
        let threads = ThreadPair()
        let task = Task(executorPreference: threads) {
            try await withCoroutine {
                for _ in 0..<100 {
                    guard threads.lane != nil else { return false }
                    try Coroutine.yield()
                    guard threads.lane != nil else { return false }
                    try Coroutine.await { await elsewhere() }
                }
                return threads.lane != nil
            }
        }
        #expect(try await task.value)
    }

    /// Two coroutines of one actor take turns at their waits, and only there.
    @Test func `turns on one actor`() async throws {
        actor Turns {
            var order: [String] = []

            func run(_ name: String) async throws {
                try await withCoroutine {
                    for step in 0..<10 {
                        self.order.append("\(name)\(step) begins")
                        // Nothing in between.
                        self.order.append("\(name)\(step) ends")
                        try Coroutine.yield()
                    }
                }
            }
        }
        let turns = Turns()
        async let first: Void = turns.run("a")
        async let second: Void = turns.run("b")
        _ = try await (first, second)
        let order = await turns.order
        #expect(order.count == 40)
        for index in stride(from: 0, to: order.count, by: 2) {
            #expect(order[index].dropLast(6) == order[index + 1].dropLast(4))
        }
    }
}

/// Goes to another executor, and suspends there.
@concurrent private func elsewhere() async {
    await Task.yield()
    _ = await Task.detached { 1 }.value
}
