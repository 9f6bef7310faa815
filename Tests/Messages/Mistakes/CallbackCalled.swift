// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The callback is called like a function.
//
// error: 'callAsFunction' is unavailable: Write callback.resume(returning:)

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let quote = try await withCallback(of: Quote.self) { callback in
        client.anyQuote { callback($0) }  // <-
    }
    print(quote)
}
