// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Foundation
import Testing

@Suite("ProcessWatch state machine", .timeLimit(.minutes(10)))
struct ProcessWatchStateTests {
    private static let noticed = ProcessEnd(reason: .exit, status: 1)
    private static let seen = ProcessEnd(reason: .exit, status: 2)

    private enum Given {
        static var running: ProcessWatchState { ProcessWatchState() }

        static var seen: ProcessWatchState {
            var state = Self.running
            #expect(state.see(ProcessWatchStateTests.seen) == .giveFoundationTime)
            return state
        }

        static var told: ProcessWatchState {
            var state = Self.running
            #expect(state.foundationNoticed(ProcessWatchStateTests.noticed) == .tell(ProcessWatchStateTests.noticed))
            return state
        }
    }

    @Suite struct FoundationNoticed {
        @Test func `when running, tells`() {
            var state = Given.running
            #expect(state.foundationNoticed(noticed) == .tell(noticed))
            #expect(state.isOver)
        }

        @Test func `when seen, tells`() {
            var state = Given.seen
            #expect(state.foundationNoticed(noticed) == .tell(noticed))
            #expect(state.foundationHadTime() == .none)
        }

        @Test func `when told, does nothing`() {
            var state = Given.told
            #expect(state.foundationNoticed(noticed) == .none)
        }
    }

    @Suite struct See {
        @Test func `when running, gives foundation time`() {
            var state = Given.running
            #expect(!state.isOver)
            #expect(state.see(seen) == .giveFoundationTime)
            #expect(state.isOver)
        }

        @Test func `when seen, does nothing`() {
            var state = Given.seen
            #expect(state.see(seen) == .none)
        }

        @Test func `when told, does nothing`() {
            var state = Given.told
            #expect(state.see(seen) == .none)
            #expect(state.isOver)
        }
    }

    @Suite struct FoundationHadTime {
        @Test func `when running, does nothing`() {
            var state = Given.running
            #expect(state.foundationHadTime() == .none)
            #expect(!state.isOver)
        }

        @Test func `when seen, tells what was seen, once`() {
            var state = Given.seen
            #expect(state.foundationHadTime() == .tell(seen))
            #expect(state.foundationHadTime() == .none)
            #expect(state.foundationNoticed(noticed) == .none)
        }

        @Test func `when told, does nothing`() {
            var state = Given.told
            #expect(state.foundationHadTime() == .none)
        }
    }
}
