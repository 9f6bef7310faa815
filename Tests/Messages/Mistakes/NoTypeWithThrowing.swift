// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The same with `throwing:`.
//
// error: 'withCallback(throwing:cancellation:timeout:fileID:line:_:)' is unavailable: The type of the answer is not
//   known here. Write it, withCallback(of: Quote.self) { … }, or give the API a handler: callback.handler(),
//   callback.handler { … }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let text = try await withCallback(throwing: LoaderError.self) { callback in  // <-
        client.fetch { quote, _ in
            guard let quote else {
                callback.resume(throwing: .refused)
                return
            }
            callback.resume(returning: quote.text)
        }
    }
    print(text)
}
