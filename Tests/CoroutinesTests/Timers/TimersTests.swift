// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@testable import AsyncBridgeFutures
@testable import Coroutines

@Suite("Timers that all share", .timeLimit(.minutes(10)))
struct TimersTests {
    /// One task sleeps for a thousand who wait, and serves them in the order of their deadlines.
    @Test func manyWithOneSleeper() async throws {
        let clock = TestClock()
        let timers = Timers(clock: clock)
        let parties = (0..<1000).map { TimerStateMachineTests.party($0) }
        for party in parties { timers.add(party.waiter, after: .seconds(10 + party.name)) }
        try await clock.sleepers(atLeast: 1)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(10))
        await until { timers.count == 999 }
        #expect(parties[0].outcome == .done)
        #expect(parties[1].outcome == .none)
        // The next one.
        try await clock.sleepers(atLeast: 1)
        for party in parties.dropFirst() { timers.remove(party.waiter) }
        #expect(timers.count == 0)
        clock.advance(by: .seconds(2000))
        await until { clock.sleeperCount == 0 }
    }

    @Test(arguments: Selector.allCases)
    func timeOnTheStandardClocks(selector: Selector) async throws {
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

    /// Of two times the earlier one comes, wherever it stands.
    @Test func theEarlierOfTwo() async throws {
        #expect(try await select(.after(.seconds(3600)) { 1 }, .after(.milliseconds(1)) { 2 }) == 2)
        #expect(try await select(.after(.milliseconds(1)) { 1 }, .after(.seconds(3600)) { 2 }) == 1)
    }

    /// Nobody is left among the timers whose selection is over, however it ended.
    @Test func nobodyStays() async throws {
        let before = Timers.suspending.count
        let channel = CoChannel<Int>(bufferType: .none)
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
