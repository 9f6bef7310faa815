// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `deliver:` with a completion of two values.
//
// error: contextual closure type '@Sendable (Result<Quote, any Error>) -> Void' expects 1 argument, but 2 were used
//   in closure body

import AsyncBridge
import Dispatch

func mistake(_ client: QuoteClient) {
    callAsync(deliver: .through { DispatchQueue.main.async(execute: $0) }) {
        try await client.quote()
    } completion: { quote, error in  // <-
        print(quote as Any)
    }
}
