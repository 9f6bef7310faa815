// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An API with a handler for success and another for failure gets `handler()` twice.
//
// error: 'handler(fileID:line:)' is unavailable: An API without an error takes callback.valueHandler(); one with an
//   error alone, callback.handler { error in … }
// error: 'handler(fileID:line:)' is unavailable: The handler gets neither the value nor Swift's 'Result' with it.
//   Make the answer: callback.handler { … }. One for failures, beside one for success, is callback.errorHandler().
//   With @Bridged, if 'Result' is a type of yours, say so: .values

import AsyncBridge

func mistake() async throws -> Quote {
    try await withCallback { callback in
        find(
            success: callback.handler(),  // <-
            failure: callback.handler()  // <-
        )
    }
}

private func find(success: @escaping @Sendable (Quote) -> Void, failure: @escaping @Sendable (any Error) -> Void) {}
