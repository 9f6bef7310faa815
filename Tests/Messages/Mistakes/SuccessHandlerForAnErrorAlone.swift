// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `successHandler()` for an API that calls back with an error alone.
//
// error: 'successHandler(fileID:line:)' is unavailable: An API with an error alone takes callback.handler()

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    try await withCallback { callback in
        client.remove(callback.successHandler())  // <-
    }
}
