// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An async function of an object that is not Sendable, for old callers.
//
// error: passing closure as a 'sending' parameter risks causing data races between code in the current task and
//   concurrent execution of the closure

import AsyncBridge

final class Names {
    func names() async throws -> [String] { ["Aristotle"] }

    func load(completion: @escaping @Sendable (Result<[String], any Error>) -> Void) {
        callAsync {  // <-
            try await self.names()
        } completion: {
            completion($0)
        }
    }
}
