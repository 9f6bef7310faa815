// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The same with `onCancel:`.
//
// error: 'withCallback(cancellation:timeout:fileID:line:_:onCancel:)' is unavailable: The type of the answer is not
//   known here. Write it, withCallback(of: Quote.self) { … }, or give the API a handler: callback.handler(),
//   callback.handler { … }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    let text = try await withCallback { callback in  // <-
        let request = client.request { quote, error in
            guard let quote else {
                callback.resume(throwing: error ?? LoaderError.refused)
                return
            }
            callback.resume(returning: quote.text)
        }
        return request
    } onCancel: {
        $0.cancel()
    }
    print(text)
}
