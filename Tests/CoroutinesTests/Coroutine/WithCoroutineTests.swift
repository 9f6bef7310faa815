// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Testing

@Suite struct WithCoroutineTests {
    @Test func returnsWhatTheBodyReturns() async throws {
        #expect(try await withCoroutine { 7 } == 7)
    }

    @Test func awaits() async throws {
        let sum = try await withCoroutine {
            try (1...10).map { n in try Coroutine.await { await Task.yield(); return n * n } }.reduce(0, +)
        }
        #expect(sum == 385)
    }
}
