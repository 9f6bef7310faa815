// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure for a handler that calls a method of the main actor.
//
// error: call to main actor-isolated instance method 'show' in a synchronous nonisolated context

import AsyncBridge

@MainActor
final class Model {
    func show(_ rank: Int) {}

    func mistake(_ client: QuoteClient) async throws -> Quote {
        try await withCallback { callback in
            client.ranked(
                callback.handler { quote, rank, error in
                    self.show(rank)  // <-
                    return quote ?? Quote(text: "")
                }
            )
        }
    }
}
