// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler` without its parentheses.
//
// error: cannot convert value of type 'HandlerWithoutParentheses' to expected argument type '@Sendable (Quote?,
//   (any Error)?) -> Void'

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.fetch(callback.handler)  // <-
    }
}
