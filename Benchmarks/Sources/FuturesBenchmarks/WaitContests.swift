// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import BenchmarkSupport
import Coroutines
import Dispatch

/// Waits that are over at once, or nearly: what they cost beside the plainest form.
enum WaitContests {
    static let contests = [
        Self.readyInCoroutine, Self.readyInTask, Self.futureOfPromise, Self.otherScheduler, Self.scope, Self.shortest,
    ]

    private static let count = 1_000_000

    /// Keeps the optimiser from knowing the future.
    @inline(never)
    private static func hide<Value>(_ value: Value) -> Value { value }

    private static let readyInCoroutine = Contest(
        "A future that has its result, in a coroutine",
        operations: Self.count,
        [
            .ours("`await()`", .against("`result`", atMost: 3), .against("`select`", atMost: 1)) { operations in
                try await Self.inCoroutine(operations) { try $0.await() }
            },
            .peer("`result`") { operations in
                try await Self.inCoroutine(operations) { try $0.result?.get() ?? 0 }
            },
            .peer("`select`") { operations in
                try await Self.inCoroutine(operations) { try select(.value(of: $0) { $0 }) }
            },
        ]
    )

    private static func inCoroutine(
        _ operations: Int,
        _ read: @escaping @Sendable (CoFuture<Int>) throws -> Int
    ) async throws {
        let future = CoFuture(result: .success(1))
        let sum = try await SerialScheduler().coroutineFuture {
            var sum = 0
            for _ in 0..<operations { sum &+= try read(Self.hide(future)) }
            return sum
        }.value
        keep(sum)
    }

    private static let readyInTask = Contest(
        "A future that has its result, in a task",
        operations: Self.count,
        [
            .ours("`value`", .against("`result`", atMost: 3), .against("`select`", atMost: 1)) { operations in
                let future = CoFuture(result: .success(1))
                var sum = 0
                for _ in 0..<operations { sum &+= try await Self.hide(future).value }
                keep(sum)
            },
            .peer("`result`") { operations in
                let future = CoFuture(result: .success(1))
                var sum = 0
                for _ in 0..<operations { sum &+= try Self.hide(future).result?.get() ?? 0 }
                keep(sum)
            },
            .peer("`select`") { operations in
                let future = CoFuture(result: .success(1))
                var sum = 0
                for _ in 0..<operations { sum &+= try await select(.value(of: Self.hide(future)) { $0 }) }
                keep(sum)
            },
        ]
    )

    private static let futureOfPromise = Contest(
        "A future of a promise",
        operations: 500_000,
        [
            .ours("`future`", .against("`map`", atMost: 1.5)) { operations in
                for number in 0..<operations {
                    let promise = CoPromise<Int>()
                    let future = promise.future
                    promise.success(number)
                    keep(future)
                }
            },
            .peer("`map`") { operations in
                for number in 0..<operations {
                    let promise = CoPromise<Int>()
                    let future = promise.map { $0 }
                    promise.success(number)
                    keep(future)
                }
            },
        ]
    )

    private static let otherScheduler = Contest(
        "A closure on another scheduler, awaited in a coroutine",
        operations: 50_000,
        [
            .ours("`await`", .against("`coroutineFuture`", atMost: 1.5)) { operations in
                let other = SerialScheduler()
                try await SerialScheduler().coroutineFuture {
                    for number in 0..<operations { keep(try other.await { number }) }
                }.value
            },
            .peer("`coroutineFuture`") { operations in
                let other = SerialScheduler()
                try await SerialScheduler().coroutineFuture {
                    for number in 0..<operations { keep(try other.coroutineFuture { number }.await()) }
                }.value
            },
        ]
    )

    private static let scope = Contest(
        "A child of a scope, awaited in its task",
        operations: 50_000,
        [
            .ours("`future(on:)`", .against("`coroutineFuture`", atMost: 1.5)) { operations in
                let scheduler = SerialScheduler()
                try await withCoroutineScope { scope in
                    for number in 0..<operations { keep(try await scope.future(on: scheduler) { number }.value) }
                }
            },
            .peer("`coroutineFuture`") { operations in
                let scheduler = SerialScheduler()
                for number in 0..<operations { keep(try await scheduler.coroutineFuture { number }.value) }
            },
        ]
    )

    private static let shortest = Contest(
        "A nanosecond, in a coroutine on a queue",
        operations: 20_000,
        [
            .ours("`select` with `.after`", .against("`delay`", atMost: 1.5)) { operations in
                try await DispatchQueue(label: "benchmark").coroutineFuture {
                    for _ in 0..<operations { try select(.after(.nanoseconds(1)) {}) }
                }.value
            },
            .peer("`delay`") { operations in
                try await DispatchQueue(label: "benchmark").coroutineFuture {
                    for _ in 0..<operations { try Coroutine.delay(.nanoseconds(1)) }
                }.value
            },
        ]
    )

    // MARK: Timers

    /// What a timeout costs that is not reached, with others pending: from 10³ to 10⁶.
    ///
    /// In this order, because the pending ones stay.
    static let pendingTimers = [0, 1_000, 10_000, 100_000, 1_000_000].map { pending in
        Contest(
            "A timeout that is cancelled, \(pending) pending",
            operations: 20_000,
            [
                .ours("an element, `.after`", .against("an element, without")) { elements in
                    await PendingTimers.shared.hold(pending)
                    try await SelectContests.waiting(1, elements) { $0 + [.after(.seconds(500)) { -1 }] }
                },
                .ours("an element, without") { try await SelectContests.waiting(1, $0) },
                .ours("a callback, `timeout:`", .against("a callback, without")) { operations in
                    await PendingTimers.shared.hold(pending)
                    try await Self.callbacks(operations, .after(.seconds(500)))
                },
                .ours("a callback, without") { try await Self.callbacks($0, nil) },
            ]
        )
    }

    /// Callbacks that another coroutine of the same scheduler answers.
    private static func callbacks(_ operations: Int, _ timeout: BridgeTimeout?) async throws {
        let scheduler = SerialScheduler()
        try await scheduler.coroutineFuture {
            for number in 0..<operations {
                let answer = try Coroutine.await(of: Int.self, timeout: timeout) { callback in
                    scheduler.scheduleTask { callback.resume(returning: number) }
                }
                keep(answer)
            }
        }.value
    }
}

/// Timers that wait while something else is measured: the branches of selections that nothing ends.
actor PendingTimers {
    static let shared = PendingTimers()
    private var count = 0

    /// Makes as many as are missing, and returns when they wait.
    func hold(_ wanted: Int) async {
        let more = wanted - self.count
        guard more > 0 else { return }
        let first = self.count
        self.count = wanted
        let never = CoChannel<Int>()
        Task {
            let times = (0..<more).map { SelectBranch<Int>.after(.seconds(1_000 + (first + $0) % 997)) { 0 } }
            _ = try await select(times + [.receive(from: never) { $0 }])
        }
        // The last thing that the selection does before it waits takes longest.
        try? await Task.sleep(for: .milliseconds(10) + .microseconds(more * 3))
    }
}
