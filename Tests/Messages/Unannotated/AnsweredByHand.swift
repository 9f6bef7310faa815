// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure by hand that answers with the value of the library, even if the import allows what it can.
//
// error: sending 'quote' risks causing data races

import AsyncBridge
@preconcurrency import UnannotatedLibrary

func mistake(_ client: QuoteClient) async throws -> Quote? {
    try await withCallback(of: Quote?.self) { callback in
        client.fetchQuote(id: 1) { quote, error in
            callback.resume(returning: quote)  // <-
        }
    }
}
