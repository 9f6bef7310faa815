// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `try` is missing.
//
// error: call can throw, but it is not marked with 'try' and the error is not handled

import AsyncBridge

func mistake(_ client: QuoteClient) async -> Quote {
    await withCallback { callback in client.fetch(callback.handler()) }  // <-
}
