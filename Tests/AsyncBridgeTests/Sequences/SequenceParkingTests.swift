// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization
import Testing

/// A cancellation between the last look at the task's state and the parking finds nobody to wake.
@Suite("SequenceStorage: parking in a task that is cancelled", .timeLimit(.minutes(10)))
struct SequenceParkingTests {
    private typealias Storage = SequenceStorage<Int, any Error>

    private let storage = Storage(policy: .watermark(low: 0, high: 1), made: CallSite(), onUndelivered: nil)

    @Test func `a consumer wakes`() throws {
        let consumer = HandDriven { await self.storage.park() }
        consumer.cancel()
        consumer.turn()
        #expect(try consumer.get())
    }

    @Test func `a sender wakes with its element`() throws {
        _ = self.storage.apply { $0.yield(Disconnected(unchecked: 1)) }
        let sender = HandDriven { () -> Int in
            switch await self.storage.waitForRoom(Disconnected(unchecked: 2)) {
            case .cancelled(let element): element.take()
            case .sent, .ended: 0
            }
        }
        sender.cancel()
        sender.turn()
        #expect(try sender.get() == 2)
    }

    @Test func `what has come before comes first`() throws {
        _ = self.storage.apply { $0.yield(Disconnected(unchecked: 1)) }
        let consumer = HandDriven { await self.storage.park() }
        consumer.turn()
        #expect(try consumer.get())
    }
}
