// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An async closure given to `startCoroutine`.
//
// error: 'startCoroutine(in:name:fileID:line:task:)' is unavailable: The code of a coroutine is synchronous, and
//   waits with `try Coroutine.await { try await … }`. For code that is async, write Task { … }.

import Coroutines
import Dispatch

func mistake(_ client: QuoteClient) {
    DispatchQueue.global().startCoroutine {  // <-
        print(try await client.quote())
    }
}
