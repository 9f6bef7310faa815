// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler()` for values that are not `Sendable`: the compiler has the last word here, and says what must be.
//
// error: type 'Image' does not conform to the 'Sendable' protocol

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let image = try await withCallback { callback in
        client.portrait(callback.handler())  // <-
    }
    print(image)
}
