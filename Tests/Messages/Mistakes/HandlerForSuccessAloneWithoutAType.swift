// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler()` for `(Bool)`, and nothing says that there is no answer.
//
// warning: result of call to 'withCallback(of:cancellation:timeout:onUndelivered:fileID:line:_:)' is unused
// error: 'handler(fileID:line:)' is unavailable: An API without an error takes callback.valueHandler(); one with an
//   error alone, callback.handler { error in … }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    try await withCallback { callback in  // <-
        client.check(callback.handler())  // <-
    }
}
