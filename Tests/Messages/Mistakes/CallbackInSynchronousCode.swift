// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `withCallback` in synchronous code.
//
// error: 'async' call in a function that does not support concurrency

import AsyncBridge

func mistake(_ client: QuoteClient) throws -> Quote {
    try await withCallback { callback in client.fetch(callback.handler()) }  // <-
}
