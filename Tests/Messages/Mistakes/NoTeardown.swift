// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A builder of a sequence that returns nothing.
//
// error: 'init(buffering:onUndelivered:fileID:line:_:)' is unavailable: The builder returns a closure that stops
//   the source: `return { watch.stop() }`. If it is stopped with sink.onTermination(_:), `return {}`.

import AsyncBridge

func mistake(_ client: QuoteClient) -> CallbackSequence<Quote, any Error> {
    CallbackSequence { sink in  // <-
        _ = client.watch(onQuote: sink.handler(), onError: sink.errorHandler())
    }
}
