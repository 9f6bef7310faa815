// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A time limit of old code, in seconds.
//
// error: cannot convert value of type 'Double' to expected argument type 'BridgeTimeout'

import AsyncBridge

func mistake(_ client: QuoteClient, limit: Double) async throws -> Quote {
    try await withCallback(timeout: limit) { callback in  // <-
        client.fetch(callback.handler())
    }
}
