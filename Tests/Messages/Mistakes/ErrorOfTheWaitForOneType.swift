// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The form with `throwing:`, in a function that throws the error of the API.
//
// error: thrown expression type 'BridgeError<LoaderError>' cannot be converted to error type 'LoaderError'

import AsyncBridge

func mistake(_ client: QuoteClient) async throws(LoaderError) -> Quote {
    try await withCallback(throwing: LoaderError.self) { callback in client.load(callback.handler()) }  // <-
}
