// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures

/// A channel that notes what it does not deliver.
struct UndeliveredWorld {
    let undelivered: Collected<Int>
    let channel: CoChannel<Int>

    init(_ type: CoChannel<Int>.BufferType = .none) {
        let undelivered = Collected<Int>()
        self.undelivered = undelivered
        self.channel = CoChannel(bufferType: type, onUndelivered: { undelivered.append($0) })
    }
}
