// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines
import Dispatch

/// From the start to the end of something that does nothing.
enum StartBenchmarks {
    static let contests = [
        Contest(
            "An empty coroutine, from start to end",
            operations: 200_000,
            [
                .ours("withCoroutine", .against("Task"), .against("DispatchQueue.async")) { operations in
                    for _ in 0..<operations { try await withCoroutine {} }
                },
                .ours("startCoroutine", .against("Task"), .against("DispatchQueue.async")) { operations in
                    let scheduler = ImmediateScheduler()
                    for _ in 0..<operations { scheduler.startCoroutine {} }
                },
                .ours("startCoroutine on a queue", .against("Task"), .against("DispatchQueue.async", atMost: 2)) {
                    operations in
                    let queue = DispatchQueue(label: "benchmark")
                    for _ in 0..<operations { queue.startCoroutine {} }
                    await withUnsafeContinuation { continuation in
                        queue.async { continuation.resume() }
                    }
                },
                .peer("Task") { operations in
                    for _ in 0..<operations { await Task {}.value }
                },
                .peer("DispatchQueue.async") { operations in
                    let queue = DispatchQueue(label: "benchmark")
                    for _ in 0..<operations { queue.async {} }
                    await withUnsafeContinuation { continuation in
                        queue.async { continuation.resume() }
                    }
                },
            ]
        )
    ]
}
