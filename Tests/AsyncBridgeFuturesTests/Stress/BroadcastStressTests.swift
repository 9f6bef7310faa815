// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("Channels with many receivers under load, in tasks", .serialized, .timeLimit(.minutes(60)))
struct BroadcastStressTests {
    /// The newest element is the last for all who keep it.
    @Test func `a conflated subscriber ends with the current element`() async {
        for _ in 0..<StressScale.rounds(300) {
            let broadcast = CoBroadcast(of: Int.self, current: 0)
            let newest = (0..<3).map { _ in broadcast.subscribe(buffering: .newest(capacity: 1)) }
            await withTaskGroup(of: Void.self) { group in
                for sender in 0..<3 {
                    group.addTask {
                        for number in 1...20 {
                            let element = sender * 100 + number
                            if number.isMultiple(of: 2) {
                                broadcast.offer(element)
                            } else {
                                try? await broadcast.send(element)
                            }
                        }
                    }
                }
            }
            let current = broadcast.current
            #expect(newest.map { $0.poll() } == [current, current, current])
        }
    }
}
