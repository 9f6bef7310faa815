// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

/// One row of the state table: what an event does in a state.
struct Row<Action: Sendable>: Sendable, CustomTestStringConvertible {
    let from: OneShotState
    let next: OneShotState
    let action: Action

    init(_ from: OneShotState, _ next: OneShotState, _ action: Action) {
        self.from = from
        self.next = next
        self.action = action
    }

    var testDescription: String { "\(self.from) → \(self.next), \(self.action)" }
}

@Suite("OneShotState: every state × every event", .timeLimit(.minutes(10)))
struct OneShotStateTests {
    @Test(arguments: claims)
    func `a claim`(_ row: Row<OneShotState.Claim>) {
        let (next, action) = row.from.claim()
        #expect(next == row.next)
        #expect(action == row.action)
    }

    static let claims: [Row<OneShotState.Claim>] = [
        Row(.idle, .claimed, .write),
        Row(.wakeRequested, .claimed, .write),
        Row(.parked, .claimedParked, .write),
        Row(.closed, .closedAnswered, .late),
        Row(.cancelled, .cancelledAnswered, .late),
        Row(.timedOut, .timedOutAnswered, .late),
        Row(.claimed, .claimed, .duplicate),
        Row(.claimedParked, .claimedParked, .duplicate),
        Row(.full, .full, .duplicate),
        Row(.closedAnswered, .closedAnswered, .duplicate),
        Row(.cancelledAnswered, .cancelledAnswered, .duplicate),
        Row(.timedOutAnswered, .timedOutAnswered, .duplicate),
        Row(.dropped, .dropped, .duplicate),
    ]

    @Test(arguments: publications)
    func `a publication`(_ row: Row<OneShotState.Publish>) {
        let (next, action) = row.from.publish()
        #expect(next == row.next)
        #expect(action == row.action)
    }

    static let publications: [Row<OneShotState.Publish>] = [
        Row(.claimed, .full, .keep),
        Row(.claimedParked, .full, .resume),
        Row(.closed, .closedAnswered, .takeBack),
        Row(.closedAnswered, .closedAnswered, .takeBack),
    ]

    @Test(arguments: OneShotState.End.allCases, OneShotState.allCases)
    func `an end`(_ end: OneShotState.End, in state: OneShotState) {
        let ended: OneShotState =
            switch end {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .dropped: .dropped
            }
        let (next, action) = state.end(end)
        switch state {
        case .idle, .wakeRequested:
            #expect(next == ended)
            #expect(action == .none)
        case .parked:
            #expect(next == ended)
            #expect(action == .resume)
        case .claimed, .claimedParked, .full, .closed, .closedAnswered, .cancelled, .cancelledAnswered, .timedOut,
            .timedOutAnswered, .dropped:
            #expect(next == state, "a result that is being written, and an earlier end, win")
            #expect(action == .none)
        }
    }

    @Test(arguments: OneShotState.allCases)
    func `a wake for cancellation`(in state: OneShotState) {
        let (next, action) = state.wakeForCancellation()
        switch state {
        case .idle:
            #expect(next == .wakeRequested)
            #expect(action == .none)
        case .parked:
            #expect(next == .idle)
            #expect(action == .resume)
        case .wakeRequested, .claimed, .claimedParked, .full, .closed, .closedAnswered, .cancelled, .cancelledAnswered,
            .timedOut, .timedOutAnswered, .dropped:
            #expect(next == state)
            #expect(action == .none)
        }
    }

    @Test(arguments: parkings)
    func `a parking waiter`(_ row: Row<OneShotState.Park>) {
        let (next, action) = row.from.park()
        #expect(next == row.next)
        #expect(action == row.action)
    }

    static let parkings: [Row<OneShotState.Park>] = [
        Row(.idle, .parked, .suspend),
        Row(.claimed, .claimedParked, .suspend),
        Row(.wakeRequested, .idle, .goOn),
        Row(.full, .full, .goOn),
        Row(.cancelled, .cancelled, .goOn),
        Row(.cancelledAnswered, .cancelledAnswered, .goOn),
        Row(.timedOut, .timedOut, .goOn),
        Row(.timedOutAnswered, .timedOutAnswered, .goOn),
        Row(.dropped, .dropped, .goOn),
    ]

    @Test(arguments: closings)
    func `a leaving waiter`(_ row: Row<OneShotState.Close>) {
        let (next, action) = row.from.close()
        #expect(next == row.next)
        #expect(action == row.action)
    }

    static let closings: [Row<OneShotState.Close>] = [
        Row(.idle, .closed, .leave),
        Row(.wakeRequested, .closed, .leave),
        Row(.claimed, .closed, .leave),
        Row(.full, .full, .dispose),
        Row(.cancelled, .cancelled, .leave),
        Row(.cancelledAnswered, .cancelledAnswered, .leave),
        Row(.timedOut, .timedOut, .leave),
        Row(.timedOutAnswered, .timedOutAnswered, .leave),
        Row(.dropped, .dropped, .leave),
    ]

    @Test func `the tables and the traps together have every state`() {
        let all = Set(OneShotState.allCases)
        #expect(Set(Self.claims.map(\.from)) == all)
        #expect(Set(Self.publications.map(\.from)).union(OneShotStateExitTests.cannotPublish) == all)
        #expect(Set(Self.parkings.map(\.from)).union(OneShotStateExitTests.cannotParkOrClose) == all)
        #expect(Set(Self.closings.map(\.from)).union(OneShotStateExitTests.cannotParkOrClose) == all)
    }

    /// `OneShot` keeps states and addresses in one word.
    @Test func `idle is zero and all states are below16`() {
        #expect(OneShotState.idle.rawValue == 0)
        #expect(OneShotState.allCases.allSatisfy { $0.rawValue < 16 })
    }

    @Test(arguments: OneShotState.allCases)
    func `an end is final: no event but the late answer changes it`(_ state: OneShotState) {
        let isEnd = ![.idle, .parked, .claimed, .claimedParked, .wakeRequested].contains(state)
        guard isEnd else { return }
        var nexts: Set<OneShotState> = [state.claim().next, state.wakeForCancellation().next]
        nexts.formUnion(OneShotState.End.allCases.map { state.end($0).next })
        nexts.remove(state)
        let answered: [OneShotState: OneShotState] = [
            .closed: .closedAnswered, .cancelled: .cancelledAnswered, .timedOut: .timedOutAnswered,
        ]
        #expect(nexts == answered[state].map { [$0] } ?? [])
    }
}

@Suite("OneShotWord", .timeLimit(.minutes(10)))
struct OneShotWordTests {
    @Test(arguments: OneShotState.allCases)
    func `applies an event and answers with its action`(in state: OneShotState) {
        let word = OneShotWord(state)
        let (next, action) = state.claim()
        #expect(word.apply { $0.claim() } == action)
        #expect(word.state == next)
    }

    @Test func `is idle at first`() { #expect(OneShotWord().state == .idle) }

    /// The event moves the word under its own feet, as another thread would.
    @Test func `asks anew when the state has moved`() {
        let word = OneShotWord()
        var seen: [OneShotState] = []
        let action = word.apply { state in
            if seen.isEmpty { _ = word.apply { $0.park() } }
            seen.append(state)
            return state.claim()
        }
        #expect(seen == [.idle, .parked])
        #expect(action == .write)
        #expect(word.state == .claimedParked)
    }
}
