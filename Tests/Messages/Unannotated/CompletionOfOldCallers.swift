// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An old completion, called from async code.
//
// error: capture of 'completion' with non-Sendable type '(Result<[String], any Error>) -> Void' in a '@Sendable'
//   closure

import AsyncBridge

final class Names: Sendable {
    func names() async throws -> [String] { ["Aristotle"] }

    func load(completion: @escaping (Result<[String], any Error>) -> Void) {
        callAsync {
            try await self.names()
        } completion: {
            completion($0)  // <-
        }
    }
}
