// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeCore

print(try await withCallback { callback in answer(callback.handler()) })

private func answer(_ completion: @escaping @Sendable (Result<Int, any Error>) -> Void) { completion(.success(1)) }
