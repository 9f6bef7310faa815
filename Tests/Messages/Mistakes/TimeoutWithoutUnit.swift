// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A timeout without its unit.
//
// error: 'init(integerLiteral:)' is unavailable: Say the unit: .seconds(5), .milliseconds(500), .after(duration)

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback(timeout: 5) { callback in  // <-
        client.fetch(callback.handler())
    }
}
