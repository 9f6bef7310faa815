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
    static let contests = [Self.mapped, Self.plain, Self.crowd, Self.flatMapped, Self.together, Self.completed]

    private static let mapped = Contest(
        "A future: make, map, observe, complete",
        operations: 500_000,
        [
            .ours("CoFuture", .against("EventLoopFuture", atMost: 0.40), .against("Future")) { operations in
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

    private static let flatMapped = Contest(
        "A future: make, flatMap to one that is ready, observe, complete",
        operations: 500_000,
        [
            .ours("CoFuture.flatMap", .against("CoFuture.map", atMost: 2), .against("EventLoopFuture")) { operations in
                let sum = Sum()
                for number in 0..<operations {
                    let promise = CoPromise<Int>()
                    promise.flatMap { CoFuture(result: .success($0 + 1)) }.whenSuccess { sum.value &+= $0 }
                    promise.success(number)
                }
                keep(sum)
            },
            .peer("CoFuture.map") { operations in
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
                    promise.futureResult.flatMap { loop.makeSucceededFuture($0 + 1) }.whenSuccess { sum.value &+= $0 }
                    promise.succeed(number)
                }
                keep(sum)
            },
        ]
    )

    private static let together = Contest(
        "Futures: `all` of ten, which are there already",
        operations: 50_000,
        [
            .ours("CoFuture", .against("EventLoopFuture")) { operations in
                let sum = Sum()
                let futures = (0..<10).map { CoFuture<Int>(result: .success($0)) }
                for _ in 0..<operations { CoFuture.all(futures).whenSuccess { sum.value &+= $0.count } }
                keep(sum)
            },
            .peer("EventLoopFuture") { operations in
                let loop = EmbeddedEventLoop()
                let sum = Sum()
                let futures = (0..<10).map { loop.makeSucceededFuture($0) }
                for _ in 0..<operations {
                    EventLoopFuture.whenAllSucceed(futures, on: loop).whenSuccess { sum.value &+= $0.count }
                }
                keep(sum)
            },
        ]
    )

    private static let completed = Contest(
        "Futures: make ten, wait for `all`, complete them",
        operations: 50_000,
        [
            .ours("CoFuture", .against("EventLoopFuture")) { operations in
                let sum = Sum()
                for number in 0..<operations {
                    let promises = (0..<10).map { _ in CoPromise<Int>() }
                    CoFuture.all(promises as [CoFuture<Int>]).whenSuccess { sum.value &+= $0.count }
                    for promise in promises { promise.success(number) }
                }
                keep(sum)
            },
            .peer("EventLoopFuture") { operations in
                let loop = EmbeddedEventLoop()
                let sum = Sum()
                for number in 0..<operations {
                    let promises = (0..<10).map { _ in loop.makePromise(of: Int.self) }
                    EventLoopFuture.whenAllSucceed(promises.map(\.futureResult), on: loop)
                        .whenSuccess { sum.value &+= $0.count }
                    for promise in promises { promise.succeed(number) }
                }
                keep(sum)
            },
        ]
    )
}
