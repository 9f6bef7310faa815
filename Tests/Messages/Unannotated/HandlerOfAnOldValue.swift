// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A ready handler for a value of the library.
//
// warning: add '@preconcurrency' to treat 'Sendable'-related errors from module 'UnannotatedLibrary' as warnings
// error: type 'Quote' does not conform to the 'Sendable' protocol

import AsyncBridge
import UnannotatedLibrary  // <-

func mistake(_ client: QuoteClient) async throws -> Quote {
    try await withCallback { callback in
        client.fetchQuote(id: 1, completion: callback.handler())  // <-
    }
}
