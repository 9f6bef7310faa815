// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `try` is missing in a loop over a sequence that can fail, in a function that does not throw.
//
// error: call can throw, but the error is not handled
// error: errors thrown from here are not handled

import AsyncBridge

func mistake(_ quotes: CallbackSequence<Quote, any Error>) async {
    for await quote in quotes { print(quote) }  // <- <-
}
