// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A duration for a timeout, where the type of the error is known.
//
// error: cannot convert value of type 'Duration' to expected argument type 'BridgeTimeout'

import AsyncBridge

func mistake(_ client: QuoteClient, limit: Duration) async throws(BridgeError<LoaderError>) -> Quote {
    try await withCallback(throwing: LoaderError.self, timeout: limit) { callback in  // <-
        client.load(callback.handler())
    }
}
