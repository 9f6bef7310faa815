// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What stops the work is returned, and `onCancel:` is missing.
//
// error: 'withCallback(of:cancellation:timeout:onUndelivered:fileID:line:_:)' is unavailable: What the closure
//   returns is for onCancel: write `} onCancel: { $0.cancel() }` after it, or do not return it.

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in  // <-
        let request = client.request(callback.handler())
        return request
    }
}
