// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// Every event in every state.
@Suite("A coroutine that exists before its task", .timeLimit(.minutes(10)))
struct TaskCoroutineTests {
    /// Starts it on an executor of the test's, which has run nothing yet.
    private func start(_ coroutine: TaskCoroutine, on executor: ManualExecutor, _ log: EventLog) {
        coroutine.start(
            Task(executorPreference: executor) {
                coroutine.begin()
                log.record("\(Task.isCancelled)")
                coroutine.finish()
            }
        )
    }

    @Test func `cancelled ahead, the task begins cancelled`() {
        let (coroutine, executor, log) = (TaskCoroutine(), ManualExecutor(), EventLog())
        #expect(!coroutine.isCancelled)
        coroutine.cancel()
        coroutine.cancel()
        #expect(coroutine.isCancelled)
        self.start(coroutine, on: executor, log)
        executor.run()
        #expect(log.events == ["true"])
    }

    /// The task begins before its maker has said so.
    @Test func `cancelled ahead, the task cancels itself`() async {
        let (coroutine, log) = (TaskCoroutine(), EventLog())
        coroutine.cancel()
        let task = Task {
            coroutine.begin()
            log.record("\(Task.isCancelled)")
        }
        await task.value
        coroutine.start(task)
        #expect(log.events == ["true"])
    }

    @Test func `cancelled when started, the task is`() {
        let (coroutine, executor, log) = (TaskCoroutine(), ManualExecutor(), EventLog())
        self.start(coroutine, on: executor, log)
        #expect(!coroutine.isCancelled)
        coroutine.cancel()
        #expect(coroutine.isCancelled)
        executor.run()
        #expect(log.events == ["true"])
    }

    @Test func `not cancelled`() {
        let (coroutine, executor, log) = (TaskCoroutine(), ManualExecutor(), EventLog())
        coroutine.whenComplete { log.record("end") }
        self.start(coroutine, on: executor, log)
        executor.run()
        coroutine.whenComplete { log.record("late") }
        #expect(log.events == ["false", "end", "late"])
        #expect(!coroutine.isCancelled)
    }

    @Test func `started twice, is a bug`() async {
        await #expect(processExitsWith: .failure) {
            let coroutine = TaskCoroutine()
            coroutine.start(Task {})
            coroutine.start(Task {})
        }
    }
}
