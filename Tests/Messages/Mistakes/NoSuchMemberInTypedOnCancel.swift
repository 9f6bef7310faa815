// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The same, with its type: what the message above advises.
//
// error: value of type 'Request' has no member 'stop'

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.request(callback.handler())
    } onCancel: { (request: Request) in
        request.stop()  // <-
    }
}
