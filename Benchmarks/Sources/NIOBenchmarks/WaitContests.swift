// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeNIO
import BenchmarkSupport
import Coroutines
import NIOCore
import NIOPosix

/// Waits for futures of an event loop.
enum WaitContests {
    static let contests = [Self.ready, Self.readyOnTheLoop, Self.late, Self.ownLoop]

    private static var loop: any EventLoop { MultiThreadedEventLoopGroup.singleton.next() }

    private static let ready = Contest(
        "a task waits for a future that has its result, from another thread",
        operations: 20_000,
        [
            .ours("value()", .against("get()", atMost: 1)) { waits in
                let future = Self.loop.makeSucceededFuture(1)
                for _ in 0..<waits { keep(try await future.value()) }
            },
            .ours("value(cancellation: .ignore)", .against("get()", atMost: 1)) { waits in
                let future = Self.loop.makeSucceededFuture(1)
                for _ in 0..<waits { keep(try await future.value(cancellation: .ignore)) }
            },
            .peer("get()") { waits in
                let future = Self.loop.makeSucceededFuture(1)
                for _ in 0..<waits { keep(try await future.get()) }
            },
        ]
    )

    private static let readyOnTheLoop = Contest(
        "a task on the loop waits for a future that has its result",
        operations: 500_000,
        [
            .ours("value()", .against("get()", atMost: 1)) { waits in
                let loop = Self.loop
                try await withTaskExecutorPreference(loop.taskExecutor) {
                    let future = loop.makeSucceededFuture(1)
                    for _ in 0..<waits { keep(try await future.value()) }
                }
            },
            .peer("get()") { waits in
                let loop = Self.loop
                try await withTaskExecutorPreference(loop.taskExecutor) {
                    let future = loop.makeSucceededFuture(1)
                    for _ in 0..<waits { keep(try await future.get()) }
                }
            },
        ]
    )

    private static let late = Contest(
        "a task waits for a future that gets its result later, on another thread",
        operations: 20_000,
        [
            .ours("value()", .against("get()", atMost: 1)) { waits in
                let loop = Self.loop
                for number in 0..<waits { keep(try await loop.submit { number }.value()) }
            },
            .ours("value(cancellation: .ignore)", .against("get()", atMost: 1)) { waits in
                let loop = Self.loop
                for number in 0..<waits { keep(try await loop.submit { number }.value(cancellation: .ignore)) }
            },
            .peer("get()") { waits in
                let loop = Self.loop
                for number in 0..<waits { keep(try await loop.submit { number }.get()) }
            },
        ]
    )

    private static let ownLoop = Contest(
        "on a loop, a wait for a future of this loop that gets its result in the loop's next turn",
        operations: 100_000,
        [
            // 1.3 until the wait ended with its loop (README, "Before and after the repairs").
            .ours("a coroutine: coFuture().await()", .against("flatMap", atMost: 1.5)) { waits in
                let loop = Self.loop
                let sum = try await loop.scheduler.coroutineFuture {
                    var sum = 0
                    for number in 0..<waits { sum &+= try Self.later(number, on: loop).coFuture().await() }
                    return sum
                }
                .value
                keep(sum)
            },
            .ours("a task on the loop: value()", .against("a task on the loop: get()")) { waits in
                let loop = Self.loop
                try await withTaskExecutorPreference(loop.taskExecutor) {
                    var sum = 0
                    for number in 0..<waits { sum &+= try await Self.later(number, on: loop).value() }
                    keep(sum)
                }
            },
            .peer("flatMap") { waits in
                let loop = Self.loop
                let sum = try await loop.flatSubmit { Self.chain(0, waits, 0, on: loop) }.get()
                keep(sum)
            },
            .peer("a task on the loop: get()") { waits in
                let loop = Self.loop
                try await withTaskExecutorPreference(loop.taskExecutor) {
                    var sum = 0
                    for number in 0..<waits { sum &+= try await Self.later(number, on: loop).get() }
                    keep(sum)
                }
            },
        ]
    )

    /// A future that gets its result in the loop's next turn, as an answer from the network does.
    private static func later(_ number: Int, on loop: any EventLoop) -> EventLoopFuture<Int> {
        let promise = loop.makePromise(of: Int.self)
        loop.execute { promise.succeed(number) }
        return promise.futureResult
    }

    private static func chain(_ number: Int, _ count: Int, _ sum: Int, on loop: any EventLoop) -> EventLoopFuture<Int> {
        if number == count { return loop.makeSucceededFuture(sum) }
        return Self.later(number, on: loop).flatMap { Self.chain(number + 1, count, sum &+ $0, on: loop) }
    }
}
