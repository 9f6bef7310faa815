// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A duration for a timeout.
//
// error: 'withCallback(of:cancellation:timeout:onUndelivered:fileID:line:_:)' is unavailable: A timeout is made
//   from a duration: timeout: .after(limit)

import AsyncBridge

func mistake(_ client: QuoteClient, limit: Duration) async throws -> Quote {
    try await withCallback(timeout: limit) { callback in  // <-
        client.fetch(callback.handler())
    }
}
