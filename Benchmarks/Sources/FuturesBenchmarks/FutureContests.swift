// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines
import NIOCore
import NIOEmbedded
import OpenCombine
import Synchronization

/// What observers write to.
///
/// Safe: each contest runs on one thread at a time.
final class Sum: @unchecked Sendable {
    var value = 0
}

enum FutureContests {
    static let contests = [Self.mapped, Self.plain, Self.crowd]

    private static let mapped = Contest(
        "A future: make, map, observe, complete",
        operations: 500_000,
        [
            .ours("CoFuture", .against("EventLoopFuture", atMost: 0.65), .against("Future")) { operations in
                let sum = Sum()
                for number in 0..<operations {
                    let promise = CoPromise<Int>()
                    promise.map { $0 + 1 }.whenSuccess { sum.value &+= $0 }
                    promise.success(number)
                }
                keep(sum)
            },
            .peer("EventLoopFuture") { operations in
                let loop = EmbeddedEventLoop()
                let sum = Sum()
                for number in 0..<operations {
                    let promise = loop.makePromise(of: Int.self)
                    promise.futureResult.map { $0 + 1 }.whenSuccess { sum.value &+= $0 }
                    promise.succeed(number)
                }
                keep(sum)
            },
            .peer("Future") { operations in
                let sum = Sum()
                for number in 0..<operations {
                    var complete: Future<Int, Never>.Promise?
                    let future = Future<Int, Never> { complete = $0 }
                    let subscription = future.map { $0 + 1 }.sink { sum.value &+= $0 }
                    complete?(.success(number))
                    subscription.cancel()
                }
                keep(sum)
            },
        ]
    )

    private static let plain = Contest(
        "A future: make, observe, complete",
        operations: 500_000,
        [
            .ours("CoFuture", .against("EventLoopFuture", atMost: 0.65), .against("Future")) { operations in
                let sum = Sum()
                for number in 0..<operations {
                    let promise = CoPromise<Int>()
                    promise.whenSuccess { sum.value &+= $0 }
                    promise.success(number)
                }
                keep(sum)
            },
            .peer("EventLoopFuture") { operations in
                let loop = EmbeddedEventLoop()
                let sum = Sum()
                for number in 0..<operations {
                    let promise = loop.makePromise(of: Int.self)
                    promise.futureResult.whenSuccess { sum.value &+= $0 }
                    promise.succeed(number)
                }
                keep(sum)
            },
            .peer("Future") { operations in
                let sum = Sum()
                for number in 0..<operations {
                    var complete: Future<Int, Never>.Promise?
                    let future = Future<Int, Never> { complete = $0 }
                    let subscription = future.sink { sum.value &+= $0 }
                    complete?(.success(number))
                    subscription.cancel()
                }
                keep(sum)
            },
        ]
    )

    private static let crowd = Contest(
        "A future: an observer, of ten of one future",
        operations: 500_000,
        [
            .ours("CoFuture", .against("EventLoopFuture")) { operations in
                let sum = Sum()
                for number in 0..<(operations / 10) {
                    let promise = CoPromise<Int>()
                    for _ in 0..<10 { promise.whenSuccess { sum.value &+= $0 } }
                    promise.success(number)
                }
                keep(sum)
            },
            .peer("EventLoopFuture") { operations in
                let loop = EmbeddedEventLoop()
                let sum = Sum()
                for number in 0..<(operations / 10) {
                    let promise = loop.makePromise(of: Int.self)
                    for _ in 0..<10 { promise.futureResult.whenSuccess { sum.value &+= $0 } }
                    promise.succeed(number)
                }
                keep(sum)
            },
        ]
    )
}
