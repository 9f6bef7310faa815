// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `await` in a closure that is not async.
//
// error: cannot pass function of type '(Int) async throws -> Quote' to parameter expecting synchronous function type

func mistake(_ client: QuoteClient) async throws -> [Quote] {
    try [1, 2].map { _ in try await client.quote() }  // <-
}
