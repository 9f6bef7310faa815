// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines

/// One element of a sequence that is computed as it is asked for.
enum GeneratorBenchmarks {
    static let contests = [
        Contest(
            "An element of a generator",
            operations: 1_000_000,
            [
                // 0.05 until a yield asked which task runs it (README, "Before and after the repairs").
                .ours(
                    "Generator",
                    .against("AsyncStream(unfolding:)", atMost: 0.1),
                    .against("AsyncStream"),
                    .against("an iterator by hand", atMost: 8)
                ) { operations in
                    var sum = 0
                    for number in Self.numbers(operations) { sum &+= number }
                    keep(sum)
                },
                .ours("ThrowingGenerator") { operations in
                    let numbers = ThrowingGenerator { yield in
                        for number in 0..<operations { try yield(number) }
                    }
                    var sum = 0
                    try numbers.forEach { sum &+= $0 }
                    keep(sum)
                },
                .ours("AsyncGenerator", .against("AsyncStream(unfolding:)")) { operations in
                    let numbers = AsyncGenerator { yield in
                        for number in 0..<operations { try yield(number) }
                    }
                    var sum = 0
                    for try await number in numbers { sum &+= number }
                    keep(sum)
                },
                .peer("an iterator by hand") { operations in
                    var sum = 0
                    for number in Numbers(operations) { sum &+= number }
                    keep(sum)
                },
                .peer("AsyncStream(unfolding:)") { operations in
                    let next = Numbers(operations)
                    var sum = 0
                    for await number in AsyncStream(unfolding: { next.next() }) { sum &+= number }
                    keep(sum)
                },
                .peer("AsyncStream") { operations in
                    let numbers = AsyncStream { continuation in
                        for number in 0..<operations { continuation.yield(number) }
                        continuation.finish()
                    }
                    var sum = 0
                    for await number in numbers { sum &+= number }
                    keep(sum)
                },
            ]
        )
    ]

    @inline(never)
    private static func numbers(_ count: Int) -> Generator<Int> {
        Generator { yield in
            for number in 0..<count { try yield(number) }
        }
    }
}

/// What a generator replaces: the loop turned inside out, its state in properties.
///
/// Safe: one task asks for one element after another.
private final class Numbers: Sequence, IteratorProtocol, @unchecked Sendable {
    private let end: Int
    private var number = 0

    init(_ count: Int) { self.end = count }

    // Not inlined, as a generator's body is not: it is somebody else's code.
    @inline(never)
    func next() -> Int? {
        guard self.number < self.end else { return nil }
        defer { self.number += 1 }
        return self.number
    }
}
