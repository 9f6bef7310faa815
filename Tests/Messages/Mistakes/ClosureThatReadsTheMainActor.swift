// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler that reads what belongs to the main actor.
//
// error: main actor-isolated property 'title' can not be referenced from a Sendable closure

import AsyncBridge

@MainActor
final class Model {
    var title = ""

    func mistake(_ client: QuoteClient) async throws -> Quote {
        try await withCallback { callback in
            client.ranked(
                callback.handler { quote, rank, error in
                    let title = self.title  // <-
                    return quote ?? Quote(text: title)
                }
            )
        }
    }
}
