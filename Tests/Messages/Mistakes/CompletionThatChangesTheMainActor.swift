// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A completion that the API declares `@Sendable`, and that changes what belongs to the main actor.
//
// error: main actor-isolated property 'title' can not be mutated from a Sendable closure

import AsyncBridge

@MainActor
final class Model {
    var title = ""

    func mistake(_ client: QuoteClient) {
        client.fetch { quote, error in
            self.title = quote?.text ?? ""  // <-
        }
    }
}
