// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An async closure given to `withCallback`.
//
// error: 'withCallback(of:cancellation:timeout:onUndelivered:fileID:line:_:)' is unavailable: withCallback is for
//   functions that call back, and its closure is not async. Where there is an async function, write `try await`
//   without withCallback.

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in  // <-
        let quote = try await client.quote()
        callback.resume(returning: quote)
    }
}
