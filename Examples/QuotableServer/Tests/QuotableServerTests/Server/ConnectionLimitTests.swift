// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ConnectionLimits
import Testing

@Suite("The limit of connections", .timeLimit(.minutes(10)))
struct ConnectionLimitTests {
    @Test(arguments: [(-1, 512), (1 << 20, 512), (1024, 512), (520, 456), (200, 136), (65, 1), (20, 1)])
    func `leaves descriptors for the process`(descriptors: Int, connections: Int) {
        #expect(ConnectionLimit.connections(atMost: 512, descriptors: descriptors) == connections)
    }
}
