// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A future of a value that cannot be copied.
//
// error: type 'Ticket' does not conform to protocol 'Copyable'

import AsyncBridgeFutures
import AsyncBridgeMacros

struct Ticket: ~Copyable, Sendable {}

struct Office: Sendable {
    @Bridged(.future)  // <-
    func ticket() async throws -> Ticket { Ticket() }
}
