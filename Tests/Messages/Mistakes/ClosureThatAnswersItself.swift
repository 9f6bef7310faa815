// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler that answers, instead of returning the answer.
//
// error: 'handler(fileID:line:_:)' is unavailable: The closure returns the answer, and does not answer by itself:
//   callback.handler { quote in quote }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.anyQuote(
            callback.handler { quote in  // <-
                callback.resume(returning: quote)
            }
        )
    }
}
