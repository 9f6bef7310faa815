// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler()` for an API without an error.
//
// error: 'handler(fileID:line:)' is unavailable: An API without an error takes callback.valueHandler(); one with an
//   error alone, callback.handler { error in … }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let quote = try await withCallback { callback in
        client.anyQuote(callback.handler())  // <-
    }
    print(quote)
}
