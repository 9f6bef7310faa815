// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Testing

/// A scheduler runs, drops and cancels in the wrong order, or twice: the first one decides, and the others do nothing.
@Suite("What a scheduler got, run a second time", .timeLimit(.minutes(10)))
struct SecondRunTests {
    /// Keeps every closure forever, and runs all of them as often as it is told to.
    private final class RepeatingScheduler: CoroutineScheduler, Sendable {
        private let closures = Collected<@Sendable () -> Void>()

        func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.closures.append(task) }

        func runAll() { for closure in self.closures.all { closure() } }
    }

    private let scheduler = ManualScheduler()
    private let there = RepeatingScheduler()
    private let ran = Collected<Int>()

    /// A coroutine that waits for a closure on the other scheduler.
    private func start() -> CoroutineHandle {
        let (there, ran) = (self.there, self.ran)
        let coroutine = self.scheduler.startCoroutine {
            try there.await { ran.append(1) }
            ran.append(2)
        }
        self.scheduler.run()
        return coroutine
    }

    private func finish(_ coroutine: CoroutineHandle) async throws {
        try await self.scheduler.arrivals(atLeast: 2)
        self.scheduler.run()
        await coroutine.ended()
    }

    @Test func `a closure that has run does not run again`() async throws {
        let coroutine = self.start()
        self.there.runAll()
        self.there.runAll()
        try await self.finish(coroutine)
        self.there.runAll()
        #expect(self.ran.all == [1, 2])
    }

    @Test func `cancelled after the closure has run, the value comes`() async throws {
        let coroutine = self.start()
        self.there.runAll()
        coroutine.cancel()
        try await self.finish(coroutine)
        #expect(self.ran.all == [1, 2])
    }

    @Test func `a closure that is cancelled does not run`() async throws {
        let coroutine = self.start()
        coroutine.cancel()
        try await self.finish(coroutine)
        self.there.runAll()
        #expect(self.ran.all.isEmpty)
    }

    /// Two threads, and a cancellation: whichever is first decides.
    @Test func `at the same time, it runs once`() async throws {
        for _ in 0..<100 {
            let coroutine = self.start()
            let there = self.there
            async let first: Void = onThread { there.runAll() }
            async let second: Void = onThread { there.runAll() }
            coroutine.cancel()
            _ = try await (first, second)
            await until { self.scheduler.runOne() }
            await coroutine.ended()
        }
        #expect(self.ran.all.count { $0 == 1 } <= 100)
        // A closure that has run gives its value, cancelled or not.
        #expect(self.ran.all.count { $0 == 1 } == self.ran.all.count { $0 == 2 })
    }
}
