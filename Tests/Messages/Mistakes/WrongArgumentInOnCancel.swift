// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The mistake is in the second closure.
//
// error: 'withCallback(of:cancellation:timeout:onUndelivered:fileID:line:_:onCancel:)' is unavailable: There is a
//   mistake in the closure of `onCancel:`, or in the one before it. Write the type of what `onCancel:` gets to see
//   which: onCancel: { (request: Request) in request.cancel() }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in  // <-
        client.request(callback.handler())
    } onCancel: { request in
        request.cancel("no longer wanted")
    }
}
