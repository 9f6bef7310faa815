// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Dispatch

/// Does work that blocks its thread on a thread that may block.
///
/// Cancellation: the wait ends at once. The work goes on until the process ends.
func offPool<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCallback { callback in
        DispatchQueue.global().async { callback.resume(with: Result { try work() }) }
    }
}
