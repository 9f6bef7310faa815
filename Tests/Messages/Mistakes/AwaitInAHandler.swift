// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `await` in the closure of a handler.
//
// error: no exact matches in call to instance method 'handler'

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.ranked(
            callback.handler { quote, rank, error in  // <-
                if let quote { return quote }
                return try await client.quote()
            }
        )
    }
}
