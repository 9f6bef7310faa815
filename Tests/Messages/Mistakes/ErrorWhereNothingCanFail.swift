// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `resume(throwing:)` in a form that does not throw.
//
// error: 'resume(throwing:)' is unavailable: This callback takes no error, or errors of one type. Leave out
//   throwing: and ifInterrupted:, or answer with callback.handler { … }

import AsyncBridge

func mistake(_ client: QuoteClient) async -> Quote? {
    await withCallback(of: Quote?.self, ifInterrupted: { _ in nil }) { callback in
        client.fetch { quote, error in
            if let error { callback.resume(throwing: error) } else { callback.resume(returning: quote) }  // <-
        }
    }
}
