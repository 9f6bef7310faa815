// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `resume` without a label.
//
// error: 'resume' is unavailable: Write callback.resume(returning:)

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let quote = try await withCallback(of: Quote.self) { callback in
        client.anyQuote { callback.resume($0) }  // <-
    }
    print(quote)
}
