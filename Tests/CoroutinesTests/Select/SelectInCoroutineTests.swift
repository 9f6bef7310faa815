// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Coroutines
import Testing

@Suite("select in a coroutine", .timeLimit(.minutes(10)))
struct SelectInCoroutineTests {
    @Test func `in a coroutine`() async throws {
        let scheduler = ManualScheduler()
        let (left, right) = (CoChannel<Int>(), CoChannel<Int>(buffering: .rendezvous))
        let taken = scheduler.coroutineFuture { try select(.receive(from: left) { $0 }, .receive(from: right) { $0 }) }
        scheduler.run()
        #expect(taken.result == nil)
        #expect(right.offer(7))
        scheduler.run()
        #expect(try await taken.value == 7)
        #expect(!right.offer(8))
    }

    /// One selection that could do both, on one channel, with itself alone: it waits.
    @Test func `does not send to itself`() async throws {
        let scheduler = ManualScheduler()
        let channel = CoChannel<Int>(buffering: .rendezvous)
        let selected = scheduler.coroutineFuture {
            try select(
                .send(1, to: channel) { 0 },
                .receive(from: channel) { $0 },
                .receive(from: channel.receiver) { $0 }
            )
        }
        scheduler.run()
        #expect(selected.result == nil)
        #expect(channel.offer(5))
        scheduler.run()
        #expect(try await selected.value == 5)
        #expect(!channel.hasReceivers && !channel.hasSenders)
    }
}
