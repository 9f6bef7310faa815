// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `resume()` where there is a value.
//
// error: 'resume(fileID:line:)' is unavailable: This answer has a value: write callback.resume(returning:)

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let quote = try await withCallback(of: Quote.self) { callback in
        client.ping { callback.resume() }  // <-
    }
    print(quote)
}
