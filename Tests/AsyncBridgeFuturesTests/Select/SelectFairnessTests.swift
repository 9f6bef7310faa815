// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("select: which of several", .timeLimit(.minutes(10)))
struct SelectFairnessTests {
    /// How often each of three full channels was received from.
    static func counts(biased: Bool, runs: Int) async throws -> [Int] {
        let channels = (0..<3).map { _ in CoChannel<Int>() }
        for channel in channels { for _ in 0..<runs { channel.offer(0) } }
        var counts = [0, 0, 0]
        for _ in 0..<runs {
            let branches: [SelectBranch<Int>] = channels.enumerated().map { index, channel in
                .receive(from: channel) { _ in index }
            }
            counts[try await select(branches, biased: biased)] += 1
        }
        for (count, channel) in zip(counts, channels) { #expect(channel.count == runs - count) }
        return counts
    }

    @Test func `each is taken`() async throws {
        let counts = try await Self.counts(biased: false, runs: 3000)
        #expect(counts.reduce(0, +) == 3000)
        // A thousand is to be expected, and 27 the deviation.
        for count in counts { #expect(count > 500) }
    }

    @Test func `the first is taken if biased`() async throws {
        #expect(try await Self.counts(biased: true, runs: 300) == [300, 0, 0])
    }

    @Test func `the first that is possible is taken if biased`() async throws {
        let (empty, full) = (CoChannel<Int>(), CoChannel<Int>())
        for _ in 0..<100 {
            full.offer(1)
            full.offer(2)
            let taken = try await select(
                .receive(from: empty) { _ in 0 },
                .receive(from: full) { $0 },
                .receive(from: full) { $0 * 10 },
                biased: true
            )
            #expect(taken == 1)
            #expect(full.poll() == 2)
        }
    }
}
