// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// An API calls back with an object that goes from its thread to the waiting task.
//
// error: type 'Image' does not conform to the 'Sendable' protocol

import AsyncBridgeMacros

final class Image {}

struct Gallery: Sendable {
    @Bridged  // <-
    func load(completion: @escaping @Sendable (Image?, (any Error)?) -> Void) {}
}
