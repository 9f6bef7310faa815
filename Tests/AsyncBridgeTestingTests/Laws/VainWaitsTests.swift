// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct VainWaitsTests {
    private let full = Duration.seconds(2)

    @Test(arguments: VainWaits.Kind.allCases)
    func `shorten waits of the same kind`(_ kind: VainWaits.Kind) {
        let waits = VainWaits()
        for _ in 0..<VainWaits.limit {
            #expect(waits.patience(self.full, for: kind) == self.full)
            waits.add(kind)
        }
        #expect(waits.patience(self.full, for: kind) < self.full / 10)
        for other in VainWaits.Kind.allCases where other != kind {
            #expect(waits.patience(self.full, for: other) == self.full)
        }
    }
}
