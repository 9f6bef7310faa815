// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A name in the closure is wrong.
//
// error: cannot find 'handlr' in scope

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        let answer = handlr  // <-
        return client.request(callback.handler())
    } onCancel: {
        $0.cancel()
    }
}
