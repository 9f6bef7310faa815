// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import BenchmarkSupport
import Coroutines

/// One coroutine or task sends to several channels in turn, another one selects.
///
/// No Swift peer has it; see `SelectTable`.
enum SelectContests {
    static let counts = [2, 8, 64]

    static let contests = Self.counts.map { count in
        Contest(
            "select over \(count) channels, an element",
            operations: 20_000,
            [
                .ours("coroutines, one scheduler") { try await Self.waiting(count, $0) },
                .ours("tasks") { elements in
                    let channels = (0..<count).map { _ in CoChannel<Int>(buffering: .rendezvous) }
                    async let produced: Void = {
                        for element in 0..<elements { try await channels[element % count].send(element) }
                    }()
                    var sum = 0
                    for _ in 0..<elements { sum &+= try await select(Self.branches(channels)) }
                    keep(sum)
                    try await produced
                },
                .ours("coroutines, an element is there") { try await Self.ready(count, $0) },
            ]
        )
    }

    /// What a timeout costs that is not reached.
    static let timeouts = [
        Contest(
            "select with a timeout, an element",
            operations: 20_000,
            [
                .ours("coroutines, without a timeout") { try await Self.waiting(1, $0) },
                .ours("coroutines, `.after`") { elements in
                    try await Self.waiting(1, elements) { $0 + [.after(.seconds(10)) { -1 }] }
                },
                .ours("coroutines, `.after` of the suspending clock") { elements in
                    try await Self.waiting(1, elements) { $0 + [.after(.seconds(10), clock: .suspending) { -1 }] }
                },
                .ours("coroutines, `.after` of another clock") { elements in
                    try await Self.waiting(1, elements) { $0 + [.after(.seconds(10), clock: OtherClock()) { -1 }] }
                },
            ]
        )
    ]

    /// Each element is sent to the next channel, in turn, by another coroutine of the same scheduler.
    static func waiting(
        _ count: Int,
        _ elements: Int,
        _ more: @escaping @Sendable ([SelectBranch<Int>]) -> [SelectBranch<Int>] = { $0 }
    ) async throws {
        let scheduler = SerialScheduler()
        let channels = (0..<count).map { _ in CoChannel<Int>(buffering: .rendezvous) }
        scheduler.startCoroutine {
            for element in 0..<elements { try channels[element % count].awaitSend(element) }
        }
        let sum = scheduler.coroutineFuture {
            var sum = 0
            for _ in 0..<elements { sum &+= try select(more(Self.branches(channels))) }
            return sum
        }
        keep(try await sum.value)
    }

    /// The element is in one of the channels.
    static func ready(_ count: Int, _ elements: Int) async throws {
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
    }

    private static func branches(_ channels: [CoChannel<Int>]) -> [SelectBranch<Int>] {
        channels.map { .receive(from: $0) { $0 } }
    }
}

/// A clock that the library does not know.
private struct OtherClock: Clock {
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}
