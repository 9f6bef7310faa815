// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `valueHandler()` for an API with an error.
//
// error: 'valueHandler(fileID:line:)' is unavailable: An API with an error takes callback.handler()

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let quote = try await withCallback(of: Quote.self) { callback in
        client.fetch(callback.valueHandler())  // <-
    }
    print(quote)
}
