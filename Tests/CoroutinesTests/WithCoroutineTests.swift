// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Testing

@Suite struct WithCoroutineTests {
    @Test func sizes() { #expect(StackSize.standard.bytes == 256 * 1024) }
}
