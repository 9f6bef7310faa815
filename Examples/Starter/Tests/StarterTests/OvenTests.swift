// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Starter
import Testing

@Suite(.timeLimit(.minutes(10)))
struct OvenTests {
    @Test func `an oven gets warm`() async throws {
        #expect(try await Oven().heat(to: 200) == 200)
    }

    @Test func `it fails with the API's own error`() async {
        await #expect(throws: Oven.TooHot.self) { try await Oven().heat(to: 251) }
    }

    @Test func `a cancelled call ends at once`() async {
        let call = Task { try await Oven().heat(to: 1_000_000) }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
