// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The value of a future without `try`.
//
// error: property access can throw but is not marked with 'try'

import AsyncBridgeFutures

func mistake(_ future: CoFuture<Quote>) async throws -> Quote {
    await future.value  // <-
}
