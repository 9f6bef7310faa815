// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What the API returns has no such member.
//
// error: 'withCallback(of:cancellation:startsWhenCancelled:timeout:onUndelivered:fileID:line:_:onCancel:)' is
//   unavailable: What `onCancel:` asks for is not there, or the closure before it has an error. Write the type of
//   what that closure returns to see which: onCancel: { (request: Request) in request.cancel() }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in  // <-
        client.request(callback.handler())
    } onCancel: {
        $0.stop()
    }
}
