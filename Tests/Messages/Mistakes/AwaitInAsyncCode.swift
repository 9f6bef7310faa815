// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `Coroutine.await` in async code.
//
// error: static method 'await' is unavailable from asynchronous contexts; Write `try await` in async code

import Coroutines

func mistake(_ client: QuoteClient) async throws -> Quote {
    try Coroutine.await { try await client.quote() }  // <-
}
