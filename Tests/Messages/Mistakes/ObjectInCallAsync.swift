// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Old callers of an async method, of a class that is not Sendable.
//
// error: passing closure as a 'sending' parameter risks causing data races between code in the current task and
//   concurrent execution of the closure

import AsyncBridge

final class QuoteStore {
    private var texts: [String] = []

    func text() async throws -> String { self.texts[0] }

    func mistake(completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
        callAsync {  // <-
            try await self.text()
        } completion: {
            completion($0)
        }
    }
}
