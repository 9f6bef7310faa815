// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import BenchmarkSupport
import Coroutines
import Dispatch
import Foundation
import Synchronization

/// How late timeouts of 10 ms come: in an idle process, and while tasks compute on every thread of Swift's pool.
enum LatenessTable {
    static let title = "How late a timeout of 10 ms comes"

    private static let time = Duration.milliseconds(10)
    private static let count = 50

    private static let ways: [(String, @Sendable () async throws -> [Duration])] = [
        (
            "`select` with `.after`, in a coroutine on a queue",
            {
                try await Self.inCoroutine {
                    try select(.receive(from: CoChannel<Int>()) { _ in }, .after(Self.time) {})
                }
            }
        ),
        ("`Coroutine.delay`", { try await Self.inCoroutine { try Coroutine.delay(Self.time) } }),
        (
            "`future.await(timeout:)`",
            {
                try await Self.inCoroutine {
                    do { keep(try CoPromise<Int>().await(timeout: Self.time)) } catch CoFutureError.timeout {}
                }
            }
        ),
        (
            "`withCallback(timeout:)`, in a task on a queue",
            {
                try await Self.inTask {
                    do {
                        let answer = try await withCallback(of: Int.self, timeout: .after(Self.time)) { callback in
                            callback.onCancel { _ = callback }
                        }
                        keep(answer)
                    } catch is BridgeFault {}
                }
            }
        ),
        (
            "a task that sleeps, awaited by a coroutine",
            { try await Self.inCoroutine { try Coroutine.await { try await Task.sleep(for: Self.time) } } }
        ),
    ]

    static func print() async throws {
        Swift.print("\n\(self.title)\n")
        Swift.print("| | idle: median, worst, in µs | busy: median, worst |")
        Swift.print("|---|---|---|")
        for (name, wait) in self.ways {
            let idle = self.figures(try await wait())
            let busy = BusyTasks()
            let late = self.figures(try await wait())
            await busy.stop()
            Swift.print("| \(name) | \(idle) | \(late) |")
        }
    }

    private static func figures(_ times: [Duration]) -> String {
        let late = times.map { Int(($0 - self.time) / .microseconds(1)) }.sorted()
        return "\(late[late.count / 2]), \(late[late.count - 1])"
    }

    /// Until there are enough, or they have taken too long.
    private static func inCoroutine(_ wait: @escaping @Sendable () throws -> Void) async throws -> [Duration] {
        try await DispatchQueue(label: "benchmark").coroutineFuture {
            var times: [Duration] = []
            let end = ContinuousClock.now + .seconds(1)
            while times.count < Self.count, ContinuousClock.now < end {
                let start = ContinuousClock.now
                try wait()
                times.append(ContinuousClock.now - start)
            }
            return times
        }.value
    }

    private static func inTask(_ wait: @escaping @Sendable () async throws -> Void) async throws -> [Duration] {
        let executor = SchedulerTaskExecutor(DispatchQueue(label: "benchmark"))
        return try await Task(executorPreference: executor) {
            var times: [Duration] = []
            let end = ContinuousClock.now + .seconds(1)
            while times.count < Self.count, ContinuousClock.now < end {
                let start = ContinuousClock.now
                try await wait()
                times.append(ContinuousClock.now - start)
            }
            return times
        }.value
    }
}

/// Tasks that compute for two seconds, one for each core and each of two priorities.
private final class BusyTasks: Sendable {
    private let isTold = Flag()
    private let tasks: [Task<Void, Never>]

    init() {
        let isTold = self.isTold
        self.tasks = [TaskPriority.high, .medium].flatMap { priority in
            (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
                Task(priority: priority) {
                    let end = ContinuousClock.now + .seconds(2)
                    while !isTold.value, ContinuousClock.now < end {}
                }
            }
        }
    }

    func stop() async {
        self.isTold.set()
        for task in self.tasks { await task.value }
    }

    private final class Flag: Sendable {
        private let isSet = Atomic(false)
        var value: Bool { self.isSet.load(ordering: .relaxed) }
        func set() { self.isSet.store(true, ordering: .relaxed) }
    }
}
