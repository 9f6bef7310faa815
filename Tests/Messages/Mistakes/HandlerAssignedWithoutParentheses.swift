// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `handler` without its parentheses, for a property. The compiler's own words: the unavailable property that tells more
// where `handler` is an argument has one type, and here the compiler prefers the function.
//
// error: cannot assign value of type '@Sendable (StaticString, UInt) -> @Sendable (Result<Quote, any Error>) ->
//   Void' to type '(Quote?, (any Error)?) -> Void'

import AsyncBridge

func mistake(_ client: QuoteClient, _ player: Player) async throws -> Quote {
    try await withCallback { callback in
        player.onQuote = callback.handler  // <-
    }
}

final class Player {
    var onQuote: ((Quote?, (any Error)?) -> Void)?
}
