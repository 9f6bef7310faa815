// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A place where two threads wait for each other, so that they go on at the same time.
package final class Rendezvous: Sendable {
    private let arrived = Monitor(0)

    package init() {}

    package func meet() {
        self.arrived.update { $0 += 1 }
        self.arrived.wait { $0 >= 2 ? () : nil }
    }
}
