// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import AsyncBridgeTesting
public import Coroutines
import Dispatch
import Synchronization
import Testing

extension ManualExecutor: CoroutineScheduler {}

@Suite("Coroutines on Swift's executors", .timeLimit(.minutes(10)))
struct ExecutorTests {
    private let log = EventLog()

    @Test func `on a task executor, each step is a job`() async throws {
        let (log, executor) = (self.log, ManualExecutor())
        let coroutine = executor.startCoroutine {
            #expect(executor.isCurrent)
            log.expect(2)
            try #expect(Coroutine.await { 7 } == 7)
            #expect(executor.isCurrent)
            log.expect(4)
            try Coroutine.yield()
            #expect(executor.isCurrent)
            log.finish(5)
        }
        log.expect(1)
        // Not `run()`, which goes on with the second step if the pool has been quick, and leaves nothing to wait for.
        executor.runOne()
        try await executor.jobs(atLeast: 1)
        log.expect(3)
        // Not `run()` alone: a yield leads through the pool.
        let end = Task { () async throws in await coroutine.ended() }
        try await executor.run(untilEndOf: end)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    /// An executor that counts its jobs, and an actor on it.
    final class QueueExecutor: SerialExecutor {
        let queue = DispatchQueue(label: "executor")
        let count = Mutex(0)

        func enqueue(_ job: consuming ExecutorJob) {
            self.count.withLock { $0 += 1 }
            let job = UnownedJob(job)
            self.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private actor Database {
        private let executor: QueueExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }
        private(set) var rows: [Int] = []

        init(on executor: QueueExecutor) { self.executor = executor }

        func insert(_ row: Int) { self.rows.append(row) }
    }

    @Test func `on a serial executor, each step is on its actors`() async throws {
        let (log, executor) = (self.log, QueueExecutor())
        let database = Database(on: executor)
        let coroutine = SerialExecutorScheduler(executor).startCoroutine {
            database.assumeIsolated { $0.insert(1) }
            let row = try Coroutine.await {
                await Task.yield()
                return 2
            }
            database.assumeIsolated { $0.insert(row) }
            try Coroutine.await { await database.insert(3) }
            try Coroutine.yield()
            database.assumeIsolated { $0.insert(4) }
            log.finish(1)
        }
        await coroutine.ended()
        #expect(await database.rows == [1, 2, 3, 4])
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `on a serial executor, coroutines keep their order, with one job each`() async throws {
        let (executor, order) = (QueueExecutor(), Collected<Int>())
        let scheduler = SerialExecutorScheduler(executor)
        var last: CoroutineHandle?
        for number in 0..<1000 { last = scheduler.startCoroutine { order.append(number) } }
        await last?.ended()
        #expect(order.all == Array(0..<1000))
        #expect(executor.count.withLock { $0 } == 1000)
    }

    @Test func `tasks run on a scheduler`() async throws {
        let (log, scheduler) = (self.log, ManualScheduler())
        let executor = SchedulerTaskExecutor(scheduler)
        let task = Task(executorPreference: executor) {
            log.expect(2)
            await Task.yield()
            log.expect(3)
            return 7
        }
        log.expect(1)
        scheduler.run()
        log.finish(4)
        #expect(await task.value == 7)
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `a task that a scheduler lets go of goes on elsewhere`() async throws {
        let scheduler = ManualScheduler()
        let task = Task(executorPreference: SchedulerTaskExecutor(scheduler)) { 7 }
        scheduler.dropOne()
        #expect(await task.value == 7)
    }

    /// Otherwise the task runs inside the call that cancels it, under the lock of its status.
    @Test func `a task of a scheduler that runs at once goes on elsewhere, and can be cancelled`() async {
        let schedulers: [any CoroutineScheduler] = [ImmediateScheduler(), SerialScheduler(on: ImmediateScheduler())]
        for scheduler in schedulers {
            let task = Task(executorPreference: SchedulerTaskExecutor(scheduler)) {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<2 { group.addTask { try? await Task.sleep(for: .seconds(100)) } }
                }
                return 7
            }
            task.cancel()
            #expect(await task.value == 7)
        }
    }

    @Test func `a task runs on a queue`() async {
        let queue = DispatchQueue(label: "tasks")
        await withTaskExecutorPreference(SchedulerTaskExecutor(queue)) {
            dispatchPrecondition(condition: .onQueue(queue))
            await Task.yield()
            dispatchPrecondition(condition: .onQueue(queue))
        }
    }
}

@Suite("MainActor.startCoroutine", .timeLimit(.minutes(10)))
struct MainActorTests {
    @TaskLocal private static var id = 0

    @MainActor private final class Label {
        var text = ""
    }

    @Test @MainActor func `the code uses what belongs to the main actor, before and after each wait`() async {
        let label = Label()
        let coroutine = MainActor.startCoroutine {
            label.text = "a"
            label.text += try Coroutine.await {
                await Task.yield()
                return "b"
            }
            MainActor.assertIsolated()
            try Coroutine.yield()
            label.text += try DispatchQueue.global().await { "c" }
            label.text += "d"
        }
        // Never in the call.
        #expect(label.text.isEmpty)
        await coroutine.ended()
        #expect(label.text == "abcd")
    }

    @Test @MainActor func `errors go to the handler, on the main actor`() async {
        let label = Label()
        let coroutine = MainActor.startCoroutine(onError: { label.text = "\($0)" }) { throw Failure(7) }
        await coroutine.ended()
        #expect(label.text.contains("7"))
    }

    @Test @MainActor func `cancelled before the first step, the code never runs`() async {
        let log = EventLog()
        let scope = CoScope()
        let coroutine = MainActor.startCoroutine(in: scope, onError: { _ in log.unreached() }) { log.unreached() }
        scope.cancel()
        await coroutine.ended()
        #expect(coroutine.isCancelled)
        #expect(log.violations.isEmpty)
    }

    @Test func `cancelled while it waits, the wait throws, and that is no error`() async throws {
        let (log, gate) = (EventLog(), Gate())
        let coroutine = MainActor.startCoroutine(onError: { _ in log.unreached() }) {
            defer { log.finish(1) }
            try Coroutine.await { try await gate.pass() }
            log.unreached()
        }
        try await gate.arrivals(atLeast: 1)
        coroutine.cancel()
        await coroutine.ended()
        #expect(log.finished().isEmpty, "\(log.finished())")
    }

    @Test func `task locals and priority come along`() async {
        let seen = Collected<Int>()
        await Self.$id.withValue(7) {
            await MainActor.startCoroutine {
                seen.append(Self.id)
                try Coroutine.await { seen.append(Self.id) }
                try Self.$id.withValue(8) {
                    try Coroutine.await { await Task.yield() }
                    seen.append(Self.id)
                }
                seen.append(Self.id)
            }.ended()
        }
        #expect(seen.all == [7, 7, 8, 7])
    }

    @Test func `its scope has it until it ends`() async {
        let scope = CoScope()
        await MainActor.startCoroutine(in: scope) {}.ended()
        #expect(scope.isEmpty)
    }
}
