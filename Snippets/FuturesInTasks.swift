// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Futures without coroutines": the module AsyncBridgeFutures alone.

import AsyncBridgeFutures

struct API: Sendable {
    func load(_ completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
        Task { completion(.success("loaded")) }
    }
}

func load(_ api: API) async throws -> String {
    // snippet.FUTURE
    let promise = CoPromise<String>()
    api.load(promise.handler { try $0.get() })

    promise.whenSuccess { print($0) }
    let text = try await promise.value
    // snippet.end
    return text
}

print(try await load(API()))
