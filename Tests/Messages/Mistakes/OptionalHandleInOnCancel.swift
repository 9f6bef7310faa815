// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The API may return nothing to cancel with.
//
// error: 'withCallback(of:cancellation:timeout:onUndelivered:fileID:line:_:onCancel:)' is unavailable: What the
//   first closure returns is optional, so that `onCancel:` gets nil if there is nothing to cancel: onCancel: {
//   request in request?.cancel() }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in  // <-
        client.maybe(callback.handler())
    } onCancel: { request in
        request.cancel()
    }
}
