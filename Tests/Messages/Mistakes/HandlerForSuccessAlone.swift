// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler()` for `(Bool)`, where there is no answer.
//
// error: 'handler(fileID:line:)' is unavailable: Is false a failure? Then callback.successHandler(). Is it an
//   answer? Then withCallback(of: Bool.self) and callback.valueHandler()

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    try await withCallback(of: Void.self) { callback in
        client.check(callback.handler())  // <-
    }
}
