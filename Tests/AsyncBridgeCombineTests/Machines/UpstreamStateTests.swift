// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import OpenCombineShim
import Testing

import AsyncBridgeCombine

/// Every event in every state, against a table written by hand, with no thread.
@Suite("The state of a subscriber's subscription", .timeLimit(.minutes(10)))
struct UpstreamStateTests {
    enum Stage: Equatable {
        case awaited(Int)
        case active
        case requesting(next: Int)
        case over
    }

    enum Event: CaseIterable {
        case receive
        case requestTwo
        case requestEnded
        case end
    }

    /// What the machine asks its caller to do.
    enum Answer: Equatable {
        case nothing
        /// Ask the subscription for so many.
        case request(Int)
        /// Cancel the subscription that has come.
        case cancelNew
        /// Take the subscription that there is.
        case take
    }

    typealias Row = MachineRow<Stage, Event, Answer>

    static let table: [Row] = [
        Row(.awaited(0), .receive, .nothing, .active),
        Row(.awaited(0), .requestTwo, .nothing, .awaited(2)),
        Row(.awaited(0), .requestEnded, .nothing, .awaited(0)),
        Row(.awaited(0), .end, .nothing, .over),
        Row(.awaited(3), .receive, .request(3), .requesting(next: 0)),
        Row(.awaited(3), .requestTwo, .nothing, .awaited(5)),
        Row(.awaited(3), .requestEnded, .nothing, .awaited(3)),
        Row(.awaited(3), .end, .nothing, .over),
        Row(.active, .receive, .cancelNew, .active),
        Row(.active, .requestTwo, .request(2), .requesting(next: 0)),
        Row(.active, .requestEnded, .nothing, .active),
        Row(.active, .end, .take, .over),
        Row(.requesting(next: 0), .receive, .cancelNew, .requesting(next: 0)),
        Row(.requesting(next: 0), .requestTwo, .nothing, .requesting(next: 2)),
        Row(.requesting(next: 0), .requestEnded, .nothing, .active),
        Row(.requesting(next: 0), .end, .take, .over),
        Row(.requesting(next: 3), .receive, .cancelNew, .requesting(next: 3)),
        Row(.requesting(next: 3), .requestTwo, .nothing, .requesting(next: 5)),
        Row(.requesting(next: 3), .requestEnded, .request(3), .requesting(next: 0)),
        Row(.requesting(next: 3), .end, .take, .over),
        Row(.over, .receive, .cancelNew, .over),
        Row(.over, .requestTwo, .nothing, .over),
        Row(.over, .requestEnded, .nothing, .over),
        Row(.over, .end, .nothing, .over),
    ]

    /// A subscription by which the test knows it again.
    private static func subscription() -> (HandSubscription<Int, Never>, UpstreamSubscription) {
        let hand = HandSubscription(Receiver(HandSubscriber<Int, Never>()))
        return (hand, UpstreamSubscription(hand))
    }

    private static func make(_ stage: Stage, _ subscription: UpstreamSubscription) -> UpstreamState {
        var state = UpstreamState()
        switch stage {
        case .awaited(let demand):
            if demand > 0 { _ = state.request(.max(demand)) }
        case .active:
            _ = state.receive(subscription)
        case .requesting(let next):
            _ = state.receive(subscription)
            _ = state.request(.max(1))
            if next > 0 { _ = state.request(.max(next)) }
        case .over:
            _ = state.end()
        }
        return state
    }

    private static func apply(_ event: Event, to state: inout UpstreamState) -> Answer {
        switch event {
        case .receive:
            let (_, new) = Self.subscription()
            switch state.receive(new) {
            case .keep: return .nothing
            case .request(let demand): return .request(demand.max ?? -1)
            case .cancel: return .cancelNew
            }
        case .requestTwo:
            return state.request(.max(2)) == nil ? .nothing : .request(2)
        case .requestEnded:
            return state.requestEnded().map { .request($0.max ?? -1) } ?? .nothing
        case .end:
            return state.end() == nil ? .nothing : .take
        }
    }

    /// Tells the stage by what the machine, made anew for each question, answers.
    private static func stage(_ make: () -> UpstreamState) -> Stage {
        var first = make()
        var second = make()
        var third = make()
        let (_, new) = Self.subscription()
        let reception = first.receive(new)
        let hasSubscription = second.end() != nil
        if !hasSubscription {
            switch reception {
            case .cancel: return .over
            case .keep: return .awaited(0)
            case .request(let demand): return .awaited(demand.max ?? -1)
            }
        }
        if third.request(.max(1)) != nil { return .active }
        // The question itself asked for one.
        return .requesting(next: (third.requestEnded()?.max ?? 0) - 1)
    }

    @Test(arguments: table)
    func every(_ row: Row) {
        let (_, subscription) = Self.subscription()
        var state = Self.make(row.before, subscription)
        let answer = Self.apply(row.event, to: &state)
        #expect(answer == row.answer)
        let after = Self.stage {
            var state = Self.make(row.before, subscription)
            _ = Self.apply(row.event, to: &state)
            return state
        }
        #expect(after == row.after)
    }

    @Test
    func `the table has every event in every state once`() {
        for stage in [Stage.awaited(0), .awaited(3), .active, .requesting(next: 0), .requesting(next: 3), .over] {
            for event in Event.allCases {
                #expect(Self.table.count { $0.before == stage && $0.event == event } == 1)
            }
        }
    }

    @Test
    func `it is the first subscription that is asked and taken`() {
        let ((first, wrapped), (second, other)) = (Self.subscription(), Self.subscription())
        var state = UpstreamState()
        _ = state.receive(wrapped)
        _ = state.receive(other)
        let asked = state.request(.max(7))
        asked?.request(.max(7))
        let taken = state.end()
        taken?.cancel()
        #expect(first.requests == [.max(7)] && first.cancels == 1)
        #expect(second.requests.isEmpty && second.cancels == 0)
    }

    @Test
    func `demand without a limit stays that`() {
        let (_, subscription) = Self.subscription()
        var state = UpstreamState()
        _ = state.request(.unlimited)
        _ = state.request(.max(1))
        guard case .request(.unlimited) = state.receive(subscription) else {
            Issue.record("the demand was not handed over")
            return
        }
    }
}
#endif
