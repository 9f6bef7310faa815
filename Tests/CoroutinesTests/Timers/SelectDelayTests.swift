// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

@Suite("select: time on the standard clocks", .timeLimit(.minutes(10)))
struct SelectDelayTests {
    @Test(arguments: Selector.allCases)
    func `time on the standard clocks`(selector: Selector) async throws {
        let never = CoChannel<Int>()
        for clock in 0..<2 {
            let selected = selector.select { () -> [SelectBranch<Int>] in
                let time: SelectBranch<Int> =
                    clock == 0
                    ? .after(.milliseconds(1)) { 1 } : .after(.milliseconds(1), clock: .suspending) { 1 }
                return [.receive(from: never) { $0 }, time]
            }
            #expect(try await selected.value == 1)
            #expect(!never.hasReceivers)
        }
    }

    /// Nobody is left among the timers whose selection is over, however it ended.
    @Test func `nobody stays`() async throws {
        let before = Timers.suspending.count
        let channel = CoChannel<Int>(buffering: .rendezvous)
        for selector in Selector.allCases {
            let log = EventLog()
            let branches: @Sendable () -> [SelectBranch<Int>] = {
                [.after(.seconds(86_400), clock: .suspending) { -1 }, .receive(from: channel) { $0 }]
            }
            let served = selector.select(branches)
            await until { channel.hasReceivers }
            #expect(channel.offer(1))
            #expect(try await served.value == 1)
            let cancelled = selector.select(log: log, branches)
            await until { channel.hasReceivers }
            cancelled.cancel()
            try await log.events(atLeast: 1)
        }
        await until { Timers.suspending.count <= before }
    }
}
