// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import BenchmarkSupport

/// An API that calls back later, on the thread on which the caller runs too: what a late answer costs, and nothing
/// else.
enum CallbackOneThreadBenchmarks {
    static let contests = [Self.plain, Self.withRequest]

    private static let plain = Contest(
        "withCallback, called back later, on one thread",
        operations: 200_000,
        [
            .ours("withCallback", .against("by hand", atMost: 1.1)) { operations in
                try await OneThreadExecutor.run { loop in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await withCallback { callback in
                            fetch(number, on: loop) { callback.resume(returning: $0) }
                        }
                    }
                    keep(sum)
                }
            },
            .peer("by hand") { operations in
                try await OneThreadExecutor.run { loop in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await awaitByHand { completion in fetch(number, on: loop, completion: completion) }
                    }
                    keep(sum)
                }
            },
            .peer("withCheckedThrowingContinuation, not cancellable") { operations in
                try await OneThreadExecutor.run { loop in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await withCheckedThrowingContinuation { continuation in
                            fetch(number, on: loop) { continuation.resume(returning: $0) }
                        }
                    }
                    keep(sum)
                }
            },
        ]
    )

    private static let withRequest = Contest(
        "withCallback with a cancel action, called back later, on one thread",
        operations: 200_000,
        [
            .ours("onCancel: closure", .against("by hand", atMost: 1.1)) { operations in
                let request = Request()
                try await OneThreadExecutor.run { loop in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await withCallback { callback in
                            fetch(number, on: loop) { callback.resume(returning: $0) }
                            return request
                        } onCancel: {
                            $0.cancel()
                        }
                    }
                    keep(sum)
                }
            },
            .ours("callback.onCancel", .against("by hand", atMost: 1.1)) { operations in
                let request = Request()
                try await OneThreadExecutor.run { loop in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await withCallback { callback in
                            callback.onCancel { request.cancel() }
                            fetch(number, on: loop) { callback.resume(returning: $0) }
                        }
                    }
                    keep(sum)
                }
            },
            .peer("by hand") { operations in
                let request = Request()
                try await OneThreadExecutor.run { loop in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await awaitByHand { completion in
                            fetch(number, on: loop, completion: completion)
                            return request
                        }
                    }
                    keep(sum)
                }
            },
        ]
    )
}

/// The old API.
@inline(never)
private func fetch(_ number: Int, on loop: OneThreadExecutor, completion: @escaping @Sendable (Int) -> Void) {
    loop.later { completion(number) }
}
