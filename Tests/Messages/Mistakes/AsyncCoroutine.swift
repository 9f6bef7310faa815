// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An async closure given to `withCoroutine`.
//
// error: 'withCoroutine(stackSize:name:fileID:line:_:)' is unavailable: The code of a coroutine is synchronous, and
//   waits with `try Coroutine.await { try await … }`. Code that is async needs no withCoroutine.

import Coroutines

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCoroutine {  // <-
        try await client.quote()
    }
}
