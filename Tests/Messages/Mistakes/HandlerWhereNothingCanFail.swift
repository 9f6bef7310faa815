// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler()` for an API with an error, in a form that does not throw.
//
// error: 'handler(fileID:line:)' is unavailable: This callback takes no error, or errors of one type. Leave out
//   throwing: and ifInterrupted:, or make the answer with callback.handler { … }

import AsyncBridge

func mistake(_ client: QuoteClient) async -> Quote {
    await withCallback(ifInterrupted: { _ in Quote(text: "") }) { callback in
        client.fetch(callback.handler())  // <-
    }
}
