// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Closures for a handler that change what they get.
//
// error: 'handler(fileID:line:_:)' is unavailable: A closure's parameter is constant. Copy it: { quote in var quote
//   = quote; … }
// error: 'handler' is unavailable: A closure's parameter is constant. Copy it: { quote in var quote = quote; … }
// error: 'handler' is unavailable: A closure's parameter is constant. Copy it: { quote in var quote = quote; … }

import AsyncBridge
import AsyncBridgeFutures

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.anyQuote(
            callback.handler { quote in  // <-
                quote = Quote(text: quote.text + "!")
                return quote
            }
        )
    }
}

func mistakeOfASink(_ client: QuoteClient) -> CallbackSequence<Quote, any Error> {
    CallbackSequence { sink in
        client.anyQuote(
            sink.handler { quote in  // <-
                quote = Quote(text: quote.text + "!")
                return quote
            }
        )
        return {}
    }
}

func mistakeOfAPromise(_ client: QuoteClient, _ promise: CoPromise<Quote>) {
    client.anyQuote(
        promise.handler { quote in  // <-
            quote = Quote(text: quote.text + "!")
            return quote
        }
    )
}
