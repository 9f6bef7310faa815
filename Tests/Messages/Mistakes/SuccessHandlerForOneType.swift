// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `successHandler()` in a form for errors of one type.
//
// error: 'successHandler(fileID:line:)' is unavailable: This callback takes no error, or errors of one type. Leave
//   out throwing: and ifInterrupted:, or make the answer with callback.handler { … }

import AsyncBridge

func mistake(_ client: QuoteClient) async throws {
    try await withCallback(throwing: LoaderError.self) { callback in
        client.check(callback.successHandler())  // <-
    }
}
