// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler with fewer parameters than the API has.
//
// error: pack expansion requires that 'Quote?, Int, (any Error)?' and 'Optional<Quote>, _' have the same shape
// error: cannot infer type of closure parameter 'rank' without a type annotation

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.ranked(callback.handler { quote, rank in quote ?? Quote(text: "") })  // <- <-
    }
}
