// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler that returns a value of the library as it is.
//
// error: returning task-isolated 'quote' as a 'sending' result risks causing data races

import AsyncBridge
import UnannotatedLibrary

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.fetchQuote(
            id: 1,
            completion: callback.handler { quote, error in
                guard let quote else { throw error ?? LoaderError.refused }
                return quote  // <-
            }
        )
    }
}
