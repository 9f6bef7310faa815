// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Only the main actor may cancel the request.
//
// error: call to main actor-isolated instance method 'cancel()' in a synchronous nonisolated context

import AsyncBridgeMacros

@MainActor
final class Request {
    func cancel() {}
}

struct Client: Sendable {
    @Bridged  // <-
    func load(completion: @escaping @Sendable (Int) -> Void) -> Request? { nil }
}
