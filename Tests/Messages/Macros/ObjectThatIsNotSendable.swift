// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The task of an async method's twin takes an object that is not Sendable.
//
// error: passing closure as a 'sending' parameter risks causing data races between code in the current task and
//   concurrent execution of the closure

import AsyncBridgeMacros

final class Store {
    private var count = 0

    @Bridged  // <-
    func save() async throws { count += 1 }
}
