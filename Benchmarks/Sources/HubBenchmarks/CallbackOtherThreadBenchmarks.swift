// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import BenchmarkSupport

/// An API that calls back later, on a thread of its own: what users see, the way through the pool of threads included.
enum CallbackOtherThreadBenchmarks {
    static let contests = [Self.plain, Self.withRequest]

    private static let plain = Contest(
        "withCallback, called back later, from another thread",
        operations: 100_000,
        [
            .ours("withCallback", .against("by hand", atMost: 0.8)) { operations in
                try await OtherThread.run { thread in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await withCallback { callback in
                            fetch(number, on: thread) { callback.resume(returning: $0) }
                        }
                    }
                    keep(sum)
                }
            },
            .peer("by hand") { operations in
                try await OtherThread.run { thread in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await awaitByHand { completion in fetch(number, on: thread, completion: completion)
                        }
                    }
                    keep(sum)
                }
            },
            .peer("withCheckedThrowingContinuation, not cancellable") { operations in
                try await OtherThread.run { thread in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await withCheckedThrowingContinuation { continuation in
                            fetch(number, on: thread) { continuation.resume(returning: $0) }
                        }
                    }
                    keep(sum)
                }
            },
        ]
    )

    private static let withRequest = Contest(
        "withCallback with a cancel action, called back later, from another thread",
        operations: 100_000,
        [
            .ours("onCancel: closure", .against("by hand", atMost: 1.0)) { operations in
                let request = Request()
                try await OtherThread.run { thread in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await withCallback { callback in
                            fetch(number, on: thread) { callback.resume(returning: $0) }
                            return request
                        } onCancel: {
                            $0.cancel()
                        }
                    }
                    keep(sum)
                }
            },
            .ours("callback.onCancel", .against("by hand", atMost: 1.0)) { operations in
                let request = Request()
                try await OtherThread.run { thread in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await withCallback { callback in
                            callback.onCancel { request.cancel() }
                            fetch(number, on: thread) { callback.resume(returning: $0) }
                        }
                    }
                    keep(sum)
                }
            },
            .peer("by hand") { operations in
                let request = Request()
                try await OtherThread.run { thread in
                    var sum = 0
                    for number in 0..<operations {
                        sum &+= try await awaitByHand { completion in
                            fetch(number, on: thread, completion: completion)
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
private func fetch(_ number: Int, on thread: OtherThread, completion: @escaping @Sendable (Int) -> Void) {
    thread.later { completion(number) }
}
