// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("CoroutineHandle: finished", .timeLimit(.minutes(10)))
struct FinishedTests {
    private let scheduler = ManualScheduler()
    private let log = EventLog()

    /// Awaits a coroutine, on an executor that the test drives.
    private func await(_ coroutine: CoroutineHandle, on executor: ManualExecutor) -> Task<Void, Never> {
        Task(executorPreference: executor) { [log] in
            await coroutine.finished()
            log.record("finished")
        }
    }

    @Test func `it returns when the coroutine has ended`() async {
        let executor = ManualExecutor()
        let coroutine = self.scheduler.startCoroutine { [log] in
            try Coroutine.yield()
            log.record("end")
        }
        let wait = self.await(coroutine, on: executor)
        executor.run()
        self.scheduler.runOne()
        executor.run()
        #expect(self.log.events == [])
        self.scheduler.run()
        executor.run()
        #expect(self.log.events == ["end", "finished"])
        await wait.value
    }

    @Test func `it returns at once when the coroutine has already ended`() {
        let executor = ManualExecutor()
        let coroutine = self.scheduler.startCoroutine {}
        self.scheduler.run()
        _ = self.await(coroutine, on: executor)
        executor.run()
        #expect(self.log.events == ["finished"])
    }

    @Test func `it returns after the error was reported`() {
        let executor = ManualExecutor()
        let coroutine = self.scheduler.startCoroutine(onError: { [log] _ in log.record("error") }) { throw Failure() }
        _ = self.await(coroutine, on: executor)
        executor.run()
        self.scheduler.run()
        executor.run()
        #expect(self.log.events == ["error", "finished"])
    }

    @Test func `it returns for all who wait`() {
        let executor = ManualExecutor()
        let coroutine = self.scheduler.startCoroutine {}
        for _ in 0..<3 { _ = self.await(coroutine, on: executor) }
        executor.run()
        #expect(self.log.events == [])
        self.scheduler.run()
        executor.run()
        #expect(self.log.events == ["finished", "finished", "finished"])
    }

    @Test func `it returns for a coroutine that was cancelled before it began`() {
        let executor = ManualExecutor()
        let coroutine = self.scheduler.startCoroutine { [log] in log.unreached() }
        _ = self.await(coroutine, on: executor)
        coroutine.cancel()
        self.scheduler.run()
        executor.run()
        #expect(self.log.events == ["finished"])
    }

    @Test func `it returns for a coroutine that its scheduler dropped`() {
        let executor = ManualExecutor()
        let coroutine = self.scheduler.startCoroutine { [log] in
            defer { log.record("unwound") }
            try Coroutine.yield()
        }
        _ = self.await(coroutine, on: executor)
        executor.run()
        self.scheduler.runOne()
        self.scheduler.dropOne()
        executor.run()
        #expect(self.log.events == ["unwound", "finished"])
    }

    @Test func `it waits on though its task is cancelled`() {
        let executor = ManualExecutor()
        let coroutine = self.scheduler.startCoroutine {}
        let wait = self.await(coroutine, on: executor)
        executor.run()
        wait.cancel()
        executor.run()
        #expect(self.log.events == [])
        #expect(!coroutine.isCancelled)
        self.scheduler.run()
        executor.run()
        #expect(self.log.events == ["finished"])
    }

    @Test func `a coroutine of the main actor is awaited too`() async {
        let coroutine = MainActor.startCoroutine { [log] in
            try Coroutine.yield()
            log.record("end")
        }
        await coroutine.finished()
        #expect(self.log.events == ["end"])
    }

    @Test func `a coroutine awaits another one`() async {
        let first = self.scheduler.startCoroutine { [log] in log.record("first") }
        let second = SerialScheduler().startCoroutine { [log] in
            try Coroutine.await { await first.finished() }
            log.record("second")
        }
        self.scheduler.run()
        await second.finished()
        #expect(self.log.events == ["first", "second"])
    }
}
