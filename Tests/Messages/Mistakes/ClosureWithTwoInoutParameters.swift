// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler that declares its parameters `inout` though the API's are not.
//
// error: 'handler(fileID:line:_:)' is unavailable: This callback takes no error, or errors of one type. Say which
//   the closure throws, { value, error throws(LoaderError) in … }, or leave out throwing: and ifInterrupted:

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.fetch(
            callback.handler { (quote: inout Quote?, error: inout (any Error)?) in  // <-
                if let error { throw error }
                return quote ?? Quote(text: "")
            }
        )
    }
}
