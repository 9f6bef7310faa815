// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

/// Every event in every state, against a table written by hand, with no thread.
@Suite("The state of one that waits", .timeLimit(.minutes(10)))
struct ParkStateTests {
    typealias Phase = ParkState.Phase

    enum Event: CaseIterable {
        case begin
        case park
        case claim
        case wake
        case cancel

        func apply(to state: ParkState) -> (next: ParkState, action: Bool) {
            switch self {
            case .begin: state.begin()
            case .park: state.park()
            case .claim: state.claim()
            case .wake: state.wake()
            case .cancel: state.cancel()
            }
        }
    }

    /// What must become of a state.
    struct Row: CustomTestStringConvertible {
        let event: Event
        let before: ParkState
        let after: ParkState
        let action: Bool

        init(_ event: Event, _ before: Phase, _ wasCancelled: Bool, _ after: Phase, _ isCancelled: Bool, _ action: Bool)
        {
            self.event = event
            self.before = ParkState(before, isCancelled: wasCancelled)
            self.after = ParkState(after, isCancelled: isCancelled)
            self.action = action
        }

        var testDescription: String { "\(self.event) in \(self.before.phase), cancelled: \(self.before.isCancelled)" }
    }

    /// All pairs but those that trap, which are in ``Traps``.
    static let table: [Row] = [
        // Only one that does not wait may begin, and none that was cancelled does.
        Row(.begin, .running, false, .open, false, true),
        Row(.begin, .woken, false, .open, false, true),
        Row(.begin, .running, true, .running, true, false),
        Row(.begin, .woken, true, .woken, true, false),
        // It stays away unless its wait is over already.
        Row(.park, .open, false, .parked, false, true),
        Row(.park, .claimed, false, .claimedParked, false, true),
        Row(.park, .claimed, true, .claimedParked, true, true),
        Row(.park, .woken, false, .woken, false, false),
        Row(.park, .woken, true, .woken, true, false),
        // One that waits can be claimed once.
        Row(.claim, .running, false, .running, false, false),
        Row(.claim, .running, true, .running, true, false),
        Row(.claim, .open, false, .claimed, false, true),
        Row(.claim, .parked, false, .claimedParked, false, true),
        Row(.claim, .claimed, false, .claimed, false, false),
        Row(.claim, .claimed, true, .claimed, true, false),
        Row(.claim, .claimedParked, false, .claimedParked, false, false),
        Row(.claim, .claimedParked, true, .claimedParked, true, false),
        Row(.claim, .woken, false, .woken, false, false),
        Row(.claim, .woken, true, .woken, true, false),
        // Only one that has left its thread is brought back.
        Row(.wake, .claimed, false, .woken, false, false),
        Row(.wake, .claimed, true, .woken, true, false),
        Row(.wake, .claimedParked, false, .woken, false, true),
        Row(.wake, .claimedParked, true, .woken, true, true),
        // A cancellation is noted always, and ends the wait if nobody has claimed it.
        Row(.cancel, .running, false, .running, true, false),
        Row(.cancel, .running, true, .running, true, false),
        Row(.cancel, .open, false, .woken, true, false),
        Row(.cancel, .parked, false, .woken, true, true),
        Row(.cancel, .claimed, false, .claimed, true, false),
        Row(.cancel, .claimed, true, .claimed, true, false),
        Row(.cancel, .claimedParked, false, .claimedParked, true, false),
        Row(.cancel, .claimedParked, true, .claimedParked, true, false),
        Row(.cancel, .woken, false, .woken, true, false),
        Row(.cancel, .woken, true, .woken, true, false),
    ]

    @Test(arguments: table)
    func `every event in every state`(row: Row) {
        let (next, action) = row.event.apply(to: row.before)
        #expect(next == row.after)
        #expect(action == row.action)
    }

    /// Who is cancelled waits no longer, so that these two states are never reached: the orders below show it.
    static let unreachable = [ParkState(.open, isCancelled: true), ParkState(.parked, isCancelled: true)]

    /// The table leaves nothing out but what traps.
    @Test func `the table is complete`() {
        let trapping: [Event: [Phase]] = [
            .begin: [.open, .parked, .claimed, .claimedParked],
            .park: [.running, .parked, .claimedParked],
            .wake: [.running, .open, .parked, .woken],
        ]
        for event in Event.allCases {
            for phase in Phase.allCases {
                for isCancelled in [false, true] {
                    let state = ParkState(phase, isCancelled: isCancelled)
                    if Self.unreachable.contains(state) { continue }
                    let rows = Self.table.filter { $0.event == event && $0.before == state }
                    let traps = trapping[event]?.contains(phase) ?? false
                    #expect(rows.count == (traps ? 0 : 1), "\(event) in \(state)")
                }
            }
        }
    }

    @Test(arguments: Phase.allCases, [false, true])
    func `a state is what its word says`(phase: Phase, isCancelled: Bool) {
        let state = ParkState(phase, isCancelled: isCancelled)
        #expect(ParkState(rawValue: state.rawValue) == state)
    }

    @Test func `all words differ`() {
        let states = Phase.allCases.flatMap { [ParkState($0), ParkState($0, isCancelled: true)] }
        #expect(Set(states.map(\.rawValue)).count == states.count)
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Suite struct Traps {
        @Test(arguments: [Phase.open, .parked, .claimed, .claimedParked])
        func `a second wait of one waiter`(phase: Phase) async {
            let word = ParkState(phase).rawValue
            await #expect(processExitsWith: .failure) { [word = word as UInt] in _ = ParkState(rawValue: word).begin() }
        }

        @Test(arguments: [Phase.running, .parked, .claimedParked])
        func `parking without a wait`(phase: Phase) async {
            let word = ParkState(phase).rawValue
            await #expect(processExitsWith: .failure) { [word = word as UInt] in _ = ParkState(rawValue: word).park() }
        }

        @Test(arguments: [Phase.running, .open, .parked, .woken])
        func `waking unclaimed`(phase: Phase) async {
            let word = ParkState(phase).rawValue
            await #expect(processExitsWith: .failure) { [word = word as UInt] in _ = ParkState(rawValue: word).wake() }
        }

        @Test(arguments: [UInt(6), 7, 14, 15])
        func `a word that is no state`(word: UInt) async {
            await #expect(processExitsWith: .failure) { [word = word as UInt] in _ = ParkState(rawValue: word) }
        }
    }
    #endif
}
