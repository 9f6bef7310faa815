// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `complete(with:)` of a promise with a value.
//
// error: 'complete(with:)' is unavailable: Write promise.success(value); complete(with:) takes a Result

import Coroutines

func mistake(_ client: QuoteClient) -> CoFuture<Quote> {
    let promise = CoPromise<Quote>()
    client.anyQuote { promise.complete(with: $0) }  // <-
    return promise.future
}
