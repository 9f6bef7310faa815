// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import BenchmarkSupport

/// An API that calls back before it returns, as one with a cache does.
///
/// The continuations that are the peers here neither notice a dropped callback nor survive a second answer, and do not
/// end when the task is cancelled.
enum CallbackAtOnceBenchmarks {
    static let contests = [Self.integers, Self.strings]

    private static let integers = Contest(
        "withCallback, called back at once, Int",
        operations: 1_000_000,
        [
            .ours(
                "withCallback",
                .against("withCheckedContinuation", atMost: 0.6),
                .against("withCheckedThrowingContinuation"),
                .against("checkCancellation() and that")
            ) { operations in
                var sum = 0
                for number in 0..<operations {
                    sum &+= try await withCallback { callback in
                        fetch(number) { callback.resume(returning: $0) }
                    }
                }
                keep(sum)
            },
            .ours("withCallback, callback.valueHandler()", .against("withCheckedContinuation")) { operations in
                var sum = 0
                for number in 0..<operations {
                    sum &+= try await withCallback { callback in
                        fetch(number, completion: callback.valueHandler())
                    }
                }
                keep(sum)
            },
            .ours("withCallback, not throwing", .against("withCheckedContinuation")) { operations in
                var sum = 0
                for number in 0..<operations {
                    sum &+= await withCallback(ifInterrupted: { _ in -1 }) { callback in
                        fetch(number) { callback.resume(returning: $0) }
                    }
                }
                keep(sum)
            },
            .peer("withCheckedContinuation") { operations in
                var sum = 0
                for number in 0..<operations {
                    sum &+= await withCheckedContinuation { continuation in
                        fetch(number) { continuation.resume(returning: $0) }
                    }
                }
                keep(sum)
            },
            .peer("withCheckedThrowingContinuation") { operations in
                var sum = 0
                for number in 0..<operations {
                    sum &+= try await withCheckedThrowingContinuation { continuation in
                        fetch(number) { continuation.resume(returning: $0) }
                    }
                }
                keep(sum)
            },
            .peer("checkCancellation() and that") { operations in
                var sum = 0
                for number in 0..<operations {
                    try Task.checkCancellation()
                    sum &+= try await withCheckedThrowingContinuation { continuation in
                        fetch(number) { continuation.resume(returning: $0) }
                    }
                }
                keep(sum)
            },
            .peer("withUnsafeContinuation") { operations in
                var sum = 0
                for number in 0..<operations {
                    sum &+= await withUnsafeContinuation { continuation in
                        fetch(number) { continuation.resume(returning: $0) }
                    }
                }
                keep(sum)
            },
        ]
    )

    private static let strings = Contest(
        "withCallback, called back at once, String",
        operations: 1_000_000,
        [
            .ours(
                "withCallback",
                .against("withCheckedContinuation", atMost: 0.6),
                .against("withCheckedThrowingContinuation"),
                .against("checkCancellation() and that")
            ) { operations in
                var sum = 0
                for number in 0..<operations {
                    let text = try await withCallback { callback in
                        fetchText(number) { callback.resume(returning: $0) }
                    }
                    sum &+= text.utf8.count
                }
                keep(sum)
            },
            .peer("withCheckedContinuation") { operations in
                var sum = 0
                for number in 0..<operations {
                    let text = await withCheckedContinuation { continuation in
                        fetchText(number) { continuation.resume(returning: $0) }
                    }
                    sum &+= text.utf8.count
                }
                keep(sum)
            },
            .peer("withCheckedThrowingContinuation") { operations in
                var sum = 0
                for number in 0..<operations {
                    let text = try await withCheckedThrowingContinuation { continuation in
                        fetchText(number) { continuation.resume(returning: $0) }
                    }
                    sum &+= text.utf8.count
                }
                keep(sum)
            },
            .peer("checkCancellation() and that") { operations in
                var sum = 0
                for number in 0..<operations {
                    try Task.checkCancellation()
                    let text = try await withCheckedThrowingContinuation { continuation in
                        fetchText(number) { continuation.resume(returning: $0) }
                    }
                    sum &+= text.utf8.count
                }
                keep(sum)
            },
        ]
    )
}

/// The old API: opaque to the optimiser, as one of another library is.
@inline(never)
private func fetch(_ number: Int, completion: @escaping @Sendable (Int) -> Void) {
    completion(number)
}

@inline(never)
private func fetchText(_ number: Int, completion: @escaping @Sendable (String) -> Void) {
    // Longer than what fits into a string without an allocation.
    completion("a quote of more than fifteen letters")
}
