// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What a coroutine writes to receive from a channel, in async code.
//
// error: instance method 'awaitReceive' is unavailable from asynchronous contexts; Use `try await
//   channel.receive()` in async code

import Coroutines

func mistake(_ channel: CoChannel<Quote>) async throws -> Quote {
    try channel.awaitReceive()  // <-
}
