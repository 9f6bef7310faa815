// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeCombine
import BenchmarkSupport
import OpenCombineShim

/// One value of a publisher, and a publisher of one value.
enum ValueContests {
    static let contests = [Self.first, Self.publisher]

    private static let first = Contest(
        "the first value of a publisher",
        operations: 200_000,
        [
            .ours("firstValue()", .against("values, an iterator's next()")) {
                for value in 0..<$0 { keep(try await Just(value).firstValue()) }
            },
            .peer("values, an iterator's next()") {
                for value in 0..<$0 {
                    var iterator = Just(value).values.makeAsyncIterator()
                    keep(await iterator.next())
                }
            },
        ]
    )

    private static let publisher = Contest(
        "a publisher of an async function's value",
        operations: 200_000,
        [
            .ours("TaskPublisher", .against("Deferred, Future and Task")) {
                for value in 0..<$0 { keep(try await TaskPublisher { value }.firstValue()) }
            },
            .peer("Deferred, Future and Task") {
                for value in 0..<$0 {
                    let publisher = Deferred {
                        Future<Int, Never> { promise in
                            // Safe: called once.
                            nonisolated(unsafe) let promise = promise
                            Task { promise(.success(value)) }
                        }
                    }
                    keep(try await publisher.firstValue())
                }
            },
        ]
    )
}
