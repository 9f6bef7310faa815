// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `resume(throwing:)` with any error, in a form for errors of one type.
//
// error: 'resume(throwing:)' is unavailable: This callback takes no error, or errors of one type. Leave out
//   throwing: and ifInterrupted:, or answer with callback.handler { … }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback(of: Quote.self, throwing: LoaderError.self) { callback in
        client.fetch { quote, error in
            if let error { callback.resume(throwing: error) }  // <-
        }
    }
}
