// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler that answers, instead of returning the answer.
//
// error: cannot convert value of type 'Bool' to closure result type 'Quote'

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.anyQuote(
            callback.handler { quote in
                callback.resume(returning: quote)  // <-
            }
        )
    }
}
