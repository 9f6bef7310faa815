// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler with fewer parameters than the API has.
//
// error: contextual closure type '@Sendable (Quote?, Int, (any Error)?) throws -> sending Quote' expects 3
//   arguments, but 2 were used in closure body

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.ranked(callback.handler { quote, rank in quote ?? Quote(text: "") })  // <-
    }
}
