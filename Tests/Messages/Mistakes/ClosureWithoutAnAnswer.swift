// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Closures for a handler that return nothing.
//
// error: 'handler(fileID:line:_:)' is unavailable: The closure returns the answer, and does not answer by itself:
//   callback.handler { quote in quote }
// error: 'handler(fileID:line:_:)' is unavailable: The closure returns the answer, and does not answer by itself:
//   callback.handler { quote in quote }
// error: 'handler(fileID:line:_:)' is unavailable: The closure returns the answer, and does not answer by itself:
//   callback.handler { quote in quote }
// error: 'handler(fileID:line:_:)' is unavailable: The closure returns the answer, and does not answer by itself:
//   callback.handler { quote in quote }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.anyQuote(callback.handler { quote in print(quote.text) })  // <-
    }
}

func mistakeWithAnError(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.fetch(callback.handler { quote, error in print(quote?.text ?? "none") })  // <-
    }
}

func mistakeWithoutArguments(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.ping(callback.handler { print("pong") })  // <-
    }
}

func mistakeOfAChange(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.edit(callback.handler { quote in quote = Quote(text: "") })  // <-
    }
}
