// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler that throws any error, in a form for errors of one type.
//
// error: 'handler(fileID:line:_:)' is unavailable: This callback takes no error, or errors of one type. Say which
//   the closure throws, { value, error throws(LoaderError) in … }, or leave out throwing: and ifInterrupted:

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let quote = try await withCallback(throwing: LoaderError.self) { callback in
        client.ranked(
            callback.handler { quote, rank, error in  // <-
                if let error { throw error }
                return quote ?? Quote(text: "")
            }
        )
    }
    print(quote)
}
