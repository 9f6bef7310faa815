// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridge
package import AsyncBridgeFutures
package import TestSupport

/// A channel that notes what it does not deliver.
package struct UndeliveredWorld {
    package let undelivered: Collected<Int>
    package let channel: CoChannel<Int>

    package init(_ type: BufferingPolicy = .rendezvous) {
        let undelivered = Collected<Int>()
        self.undelivered = undelivered
        self.channel = CoChannel(buffering: type, onUndelivered: { undelivered.append($0) })
    }
}
