// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Synchronization
import Testing

@Suite("The examples of the testing tools", .timeLimit(.minutes(10)))
struct ToolExamples {
    private struct Service: Sendable {
        private let kept = Keeper()

        /// Keeps the callback and never calls it.
        func ask(_ callback: Callback<String, any Error>) { self.kept.callback.withLock { $0 = callback } }

        private final class Keeper: Sendable {
            let callback = Mutex<Callback<String, any Error>?>(nil)
        }
    }

    @Test func clock() async throws {
        let service = Service()
        // snippet.CLOCK
        let clock = TestClock()
        let answer = Task { try await withCallback(timeout: .after(.seconds(30), on: clock)) { service.ask($0) } }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(30))
        // snippet.end
        await #expect(throws: BridgeFault.self) { try await answer.value }
    }

    @Test func executor() async {
        let isDone = Atomic(false)
        @Sendable func work() async { isDone.store(true, ordering: .relaxed) }
        // snippet.EXECUTOR
        let executor = ManualExecutor()
        let task = Task(executorPreference: executor) { await work() }
        executor.run()  // Everything up to the first suspension has run now.
        // snippet.end
        let hasRun = isDone.load(ordering: .relaxed)
        #expect(hasRun)
        await task.value
    }

    // snippet.ACTOR
    actor Counter {
        let executor: ManualExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }
        init(executor: ManualExecutor) { self.executor = executor }
    }
    // snippet.end

    @Test func log() async {
        let executor = ManualExecutor()
        // snippet.LOG
        let log = EventLog()
        log.expect(1)
        let task = Task(executorPreference: executor) { log.expect(3) }
        log.expect(2)
        executor.run()
        log.finish(4)
        #expect(log.violations.isEmpty, "\(log.violations)")
        // snippet.end
        await task.value
    }

    private final class Store: Sendable {
        private let kept = Mutex<[LifetimeTracker.Token]>([])

        func keep(_ token: LifetimeTracker.Token) { self.kept.withLock { $0.append(token) } }

        func clear() { self.kept.withLock { $0 = [] } }
    }

    @Test func lifetimes() async throws {
        let store = Store()
        // snippet.LIFETIMES
        let tracker = LifetimeTracker()
        store.keep(tracker.token("request"))
        store.clear()
        try await tracker.allReleased()
        // snippet.end
    }
}
