// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The main actor as an executor.
//
// error: argument type 'MainActor' does not conform to expected type 'TaskExecutor'

import AsyncBridge

func mistake(_ client: QuoteClient) {
    callAsync(deliver: .on(MainActor.shared)) {  // <-
        try await client.quote()
    } completion: { result in
        print(result)
    }
}
