// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// `onCancel:` of a slot with a parameter.
//
// error: contextual closure type '() -> Void' expects 0 arguments, but 1 was used in closure body

import AsyncBridge

func mistake(_ slot: ReplySlot<Quote>, _ request: Request) async throws -> Quote {
    try await slot.wait {
    } onCancel: { _ in  // <-
        request.cancel()
    }
}
