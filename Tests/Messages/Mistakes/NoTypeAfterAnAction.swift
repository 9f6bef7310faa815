// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A callback of which something else is asked first, without `of:`.
//
// error: 'withCallback(cancellation:timeout:fileID:line:_:)' is unavailable: The type of the answer is not known
//   here. Write it, withCallback(of: Quote.self) { … }, or give the API a handler: callback.handler(),
//   callback.handler { … }

import AsyncBridge

func mistake(_ client: QuoteClient, _ request: Request) async throws {
    let text = try await withCallback { callback in  // <-
        callback.onCancel { request.cancel() }
        client.anyQuote { quote in
            let text = quote.text
            callback.resume(returning: text)
        }
    }
    print(text)
}
