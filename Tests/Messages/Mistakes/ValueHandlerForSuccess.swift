// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `valueHandler()` for `(Bool)`, and nobody looks at the Boolean.
//
// warning: result of call to 'withCallback(of:cancellation:timeout:onUndelivered:fileID:line:_:)' is unused

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    try await withCallback { callback in client.check(callback.valueHandler()) }  // <-
}
