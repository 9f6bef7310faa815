// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `valueHandler()` for an API that calls back with nothing.
//
// error: 'valueHandler(fileID:line:)' is unavailable: An API that calls back with nothing takes callback.handler()

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    try await withCallback { callback in
        client.ping(callback.valueHandler())  // <-
    }
}
