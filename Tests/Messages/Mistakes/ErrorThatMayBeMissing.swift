// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `resume(throwing:)` with an error that may be nil.
//
// error: 'resume(throwing:)' is unavailable: The error may be nil: unwrap it, or give the API callback.handler()

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback(of: Quote.self) { callback in
        client.fetch { quote, error in
            if let quote { callback.resume(returning: quote) } else { callback.resume(throwing: error) }  // <-
        }
    }
}
