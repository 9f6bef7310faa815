// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines

/// An async function that is ready, awaited from synchronous code.
enum AwaitBenchmarks {
    static let contests = [
        Contest(
            "Coroutine.await of an async function that is ready",
            operations: 1_000_000,
            [
                .ours(
                    "Coroutine.await",
                    .against("await", atMost: 6.5),
                    .against("await of a stored closure", atMost: 1.8)
                ) { operations in
                    keep(
                        try await withCoroutine {
                            var sum = 0
                            for number in 0..<operations { sum &+= try Coroutine.await { await next(number) } }
                            return sum
                        }
                    )
                },
                .peer("await") { operations in
                    var sum = 0
                    for number in 0..<operations { sum &+= await next(number) }
                    keep(sum)
                },
                .peer("await of a stored closure") { operations in
                    var sum = 0
                    for number in 0..<operations { sum &+= await call(next, number) }
                    keep(sum)
                },
            ]
        )
    ]

    @inline(never)
    private static func next(_ number: Int) async -> Int { number &+ 1 }

    @inline(never)
    private static func call(_ function: @escaping (Int) async -> Int, _ number: Int) async -> Int {
        await function(number)
    }
}
