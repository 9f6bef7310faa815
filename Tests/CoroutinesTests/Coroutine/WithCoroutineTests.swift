// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Testing

@Suite(.timeLimit(.minutes(10))) struct WithCoroutineTests {
    @Test func `returns what the body returns`() async throws {
        #expect(try await withCoroutine { 7 } == 7)
    }

    @Test func awaits() async throws {
        let sum = try await withCoroutine {
            try (1...10).map { number in
                try Coroutine.await {
                    await Task.yield()
                    return number * number
                }
            }.reduce(0, +)
        }
        #expect(sum == 385)
    }
}
