// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An async method of an object that is not Sendable, called on the main actor.
//
// error: sending 'self.client' risks causing data races

import AsyncBridge
import UnannotatedLibrary

extension QuoteClient {
    func text(id: Int) async throws -> String {
        try await withCallback { callback in
            self.fetchQuote(id: id, completion: callback.handler { quote, _ in quote?.text ?? "" })
        }
    }
}

@MainActor
final class Model {
    private let client = QuoteClient()

    func mistake() async throws -> String {
        try await self.client.text(id: 1)  // <-
    }
}
