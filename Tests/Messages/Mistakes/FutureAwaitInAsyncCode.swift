// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `await()` of a future in async code.
//
// error: instance method 'await' is unavailable from asynchronous contexts; Use `try await future.value` in async
//   code

import Coroutines

func mistake(_ future: CoFuture<Quote>) async throws -> Quote {
    try future.await()  // <-
}
