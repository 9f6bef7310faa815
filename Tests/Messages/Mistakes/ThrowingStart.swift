// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A closure that throws, in a form with `throwing:`.
//
// error: 'withCallback(of:throwing:cancellation:timeout:onUndelivered:fileID:line:_:)' is unavailable: In the forms
//   with `throwing:` the closure does not throw: answer with callback.resume(throwing:), or leave out `throwing:`.

import AsyncBridge

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback(throwing: LoaderError.self) { callback in  // <-
        try Task.checkCancellation()
        client.load(callback.handler())
    }
}
