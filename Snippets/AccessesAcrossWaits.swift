// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Await in synchronous code": what others may do meanwhile.

import AsyncBridge
import Coroutines

actor QuoteBoard {
    private var quotes = ["1": Quote(), "2": Quote()]

    func refresh() async throws {
        // snippet.SENDING
        let fresh = try await withCoroutine(sending: self.quotes) { quotes in
            var quotes = quotes
            for id in quotes.keys { try quotes[id]?.refresh() }
            return quotes
        }
        self.quotes.merge(fresh) { _, fresh in fresh }
        // snippet.end
    }

    func refresh(id: String) async throws {
        // snippet.COPYING
        try await withCoroutine {
            var quote = self.quotes[id]
            try quote?.refresh()
            self.quotes[id] = quote
        }
        // snippet.end
    }

    func total() -> Int { self.quotes.values.reduce(0) { $0 + $1.updates } }
}

struct Quote: Sendable {
    var updates = 0

    /// Synchronous, and waits.
    mutating func refresh() throws {
        try Coroutine.await { await Task.yield() }
        self.updates += 1
    }
}

// snippet.CHECK
BridgeDiagnostics.checksAccesses = true
// snippet.end

let board = QuoteBoard()
try await board.refresh()
try await board.refresh(id: "1")
print(await board.total())
