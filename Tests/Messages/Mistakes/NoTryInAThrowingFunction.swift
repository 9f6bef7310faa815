// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `try` is missing, in a function that throws.
//
// error: call can throw but is not marked with 'try'

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    await withCallback { callback in client.fetch(callback.handler()) }  // <-
}
