// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An API that calls back with two values, and cannot fail.
//
// error: cannot convert return expression of type 'Int' to return type '(Int, Quote)'
// error: cannot convert value of type '@Sendable (Int) -> Void' to expected argument type '@Sendable (Int, Quote)
//   -> Void'

import AsyncBridge

func mistake() async throws -> (Int, Quote) {
    try await withCallback { callback in  // <-
        best(callback.valueHandler())  // <-
    }
}

private func best(_ completion: @escaping @Sendable (Int, Quote) -> Void) {}
