// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines

/// One party sends to several channels in turn, another one selects.
///
/// No Swift peer has it; see the table of goroutines.
enum SelectContests {
    static let contests = [2, 8, 64].map { count in
        Contest(
            "select over \(count) channels, an element",
            operations: 20_000,
            [
                .ours("coroutines, one scheduler") { elements in
                    let scheduler = SerialScheduler()
                    let channels = (0..<count).map { _ in CoChannel<Int>(bufferType: .none) }
                    scheduler.startCoroutine {
                        for element in 0..<elements { try channels[element % count].awaitSend(element) }
                    }
                    let sum = scheduler.coroutineFuture {
                        var sum = 0
                        for _ in 0..<elements { sum &+= try select(Self.branches(channels)) }
                        return sum
                    }
                    keep(try await sum.value)
                },
                .ours("tasks") { elements in
                    let channels = (0..<count).map { _ in CoChannel<Int>(bufferType: .none) }
                    async let produced: Void = {
                        for element in 0..<elements { try await channels[element % count].send(element) }
                    }()
                    var sum = 0
                    for _ in 0..<elements { sum &+= try await select(Self.branches(channels)) }
                    keep(sum)
                    try await produced
                },
                .ours("coroutines, an element is there") { elements in
                    let scheduler = SerialScheduler()
                    let channels = (0..<count).map { _ in CoChannel<Int>() }
                    let sum = scheduler.coroutineFuture {
                        var sum = 0
                        for element in 0..<elements {
                            channels[element % count].offer(element)
                            sum &+= try select(Self.branches(channels))
                        }
                        return sum
                    }
                    keep(try await sum.value)
                },
            ]
        )
    }

    private static func branches(_ channels: [CoChannel<Int>]) -> [SelectBranch<Int>] {
        channels.map { .receive(from: $0) { $0 } }
    }
}
