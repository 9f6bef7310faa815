// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import OpenCombineShim
import Testing

import AsyncBridgeCombine

/// Every event in every state, against a table written by hand, with no other thread.
@Suite("The state of a subscription to a sequence", .timeLimit(.minutes(10)))
struct PumpStateTests {
    private typealias State = PumpState<String>

    enum Stage: Equatable {
        case subscribing(Int)
        case idle
        case running(Int)
        case parked
        case last(Int)
        case over
    }

    enum Event: CaseIterable {
        case subscribed
        case requestTwo
        case takeAllowance
        case park
        case receiver
        case finish
        case drop
        case cancel
    }

    enum Answer: Equatable {
        case nothing
        case start
        /// Resume the pump that is parked.
        case resume
        case allowance(Int)
        case subscriber
        /// The pump may wait.
        case parked
        /// Release the subscriber; resume the pump, if it is parked.
        case released(resuming: Bool)
    }

    typealias Row = MachineRow<Stage, Event, Answer>

    static let table: [Row] = [
        Row(.subscribing(0), .subscribed, .nothing, .idle),
        Row(.subscribing(0), .requestTwo, .nothing, .subscribing(2)),
        Row(.subscribing(0), .takeAllowance, .nothing, .subscribing(0)),
        Row(.subscribing(0), .park, .nothing, .subscribing(0)),
        Row(.subscribing(0), .receiver, .subscriber, .subscribing(0)),
        Row(.subscribing(0), .finish, .subscriber, .over),
        Row(.subscribing(0), .drop, .released(resuming: false), .over),
        Row(.subscribing(0), .cancel, .released(resuming: false), .over),
        Row(.subscribing(3), .subscribed, .start, .running(3)),
        Row(.subscribing(3), .requestTwo, .nothing, .subscribing(5)),
        Row(.subscribing(3), .takeAllowance, .nothing, .subscribing(3)),
        Row(.subscribing(3), .park, .nothing, .subscribing(3)),
        Row(.subscribing(3), .receiver, .subscriber, .subscribing(3)),
        Row(.subscribing(3), .finish, .subscriber, .over),
        Row(.subscribing(3), .drop, .released(resuming: false), .over),
        Row(.subscribing(3), .cancel, .released(resuming: false), .over),
        Row(.idle, .subscribed, .nothing, .idle),
        Row(.idle, .requestTwo, .start, .running(2)),
        Row(.idle, .takeAllowance, .nothing, .idle),
        Row(.idle, .park, .nothing, .idle),
        Row(.idle, .receiver, .subscriber, .idle),
        Row(.idle, .finish, .subscriber, .over),
        Row(.idle, .drop, .released(resuming: false), .over),
        Row(.idle, .cancel, .released(resuming: false), .over),
        Row(.running(0), .subscribed, .nothing, .running(0)),
        Row(.running(0), .requestTwo, .nothing, .running(2)),
        Row(.running(0), .takeAllowance, .allowance(0), .running(0)),
        Row(.running(0), .park, .parked, .parked),
        Row(.running(0), .receiver, .subscriber, .running(0)),
        Row(.running(0), .finish, .subscriber, .over),
        Row(.running(0), .drop, .nothing, .last(0)),
        Row(.running(0), .cancel, .released(resuming: false), .over),
        Row(.running(3), .subscribed, .nothing, .running(3)),
        Row(.running(3), .requestTwo, .nothing, .running(5)),
        Row(.running(3), .takeAllowance, .allowance(3), .running(0)),
        Row(.running(3), .park, .nothing, .running(3)),
        Row(.running(3), .receiver, .subscriber, .running(3)),
        Row(.running(3), .finish, .subscriber, .over),
        Row(.running(3), .drop, .nothing, .last(3)),
        Row(.running(3), .cancel, .released(resuming: false), .over),
        Row(.parked, .subscribed, .nothing, .parked),
        Row(.parked, .requestTwo, .resume, .running(2)),
        // No event of the pump's comes while it is parked.
        Row(.parked, .takeAllowance, .nothing, .parked),
        Row(.parked, .park, .nothing, .parked),
        Row(.parked, .receiver, .subscriber, .parked),
        Row(.parked, .finish, .subscriber, .over),
        Row(.parked, .drop, .released(resuming: true), .over),
        Row(.parked, .cancel, .released(resuming: true), .over),
        Row(.last(0), .subscribed, .nothing, .last(0)),
        Row(.last(0), .requestTwo, .nothing, .last(2)),
        Row(.last(0), .takeAllowance, .nothing, .last(0)),
        Row(.last(0), .park, .nothing, .last(0)),
        Row(.last(0), .receiver, .subscriber, .last(0)),
        Row(.last(0), .finish, .subscriber, .over),
        Row(.last(0), .drop, .nothing, .last(0)),
        Row(.last(0), .cancel, .released(resuming: false), .over),
        Row(.last(3), .subscribed, .nothing, .last(3)),
        Row(.last(3), .requestTwo, .nothing, .last(5)),
        Row(.last(3), .takeAllowance, .allowance(3), .last(0)),
        Row(.last(3), .park, .nothing, .last(3)),
        Row(.last(3), .receiver, .subscriber, .last(3)),
        Row(.last(3), .finish, .subscriber, .over),
        Row(.last(3), .drop, .nothing, .last(3)),
        Row(.last(3), .cancel, .released(resuming: false), .over),
        Row(.over, .subscribed, .nothing, .over),
        Row(.over, .requestTwo, .nothing, .over),
        Row(.over, .takeAllowance, .nothing, .over),
        Row(.over, .park, .nothing, .over),
        Row(.over, .receiver, .nothing, .over),
        Row(.over, .finish, .nothing, .over),
        Row(.over, .drop, .nothing, .over),
        Row(.over, .cancel, .nothing, .over),
    ]

    private static func make(_ stage: Stage, _ pump: ParkedContinuation) -> State {
        var state = State("subscriber")
        if case .subscribing(let demand) = stage {
            if demand > 0 { _ = state.request(.max(demand)) }
            return state
        }
        _ = state.subscribed()
        switch stage {
        case .subscribing, .idle:
            break
        case .running(let demand):
            _ = state.request(.max(1))
            _ = state.takeAllowance()
            if demand > 0 { _ = state.request(.max(demand)) }
        case .parked:
            _ = state.request(.max(1))
            _ = state.takeAllowance()
            _ = state.park(pump)
        case .last(let demand):
            _ = state.request(.max(1))
            _ = state.takeAllowance()
            _ = state.drop()
            if demand > 0 { _ = state.request(.max(demand)) }
        case .over:
            _ = state.cancel()
        }
        return state
    }

    private static func apply(_ event: Event, to state: inout State, _ pump: ParkedContinuation) -> Answer {
        switch event {
        case .subscribed: return state.subscribed() ? .start : .nothing
        case .requestTwo:
            switch state.request(.max(2)) {
            case .none: return .nothing
            case .start: return .start
            case .resume: return .resume
            }
        case .takeAllowance: return state.takeAllowance().map { .allowance($0.max ?? -1) } ?? .nothing
        case .park: return state.park(pump) ? .parked : .nothing
        case .receiver: return state.receiver == "subscriber" ? .subscriber : .nothing
        case .finish: return state.finish() == "subscriber" ? .subscriber : .nothing
        case .drop: return Self.answer(to: state.drop())
        case .cancel: return Self.answer(to: state.cancel())
        }
    }

    private static func answer(to cancellation: State.Cancellation?) -> Answer {
        guard let cancellation, let downstream = cancellation.downstream else { return .nothing }
        #expect(downstream == "subscriber")
        return .released(resuming: cancellation.pump != nil)
    }

    private static func stage(of state: borrowing State) -> Stage {
        switch state.state {
        case .subscribing(_, let demand): .subscribing(demand.max ?? -1)
        case .idle: .idle
        case .running(_, let demand): .running(demand.max ?? -1)
        case .parked: .parked
        case .last(_, let demand): .last(demand.max ?? -1)
        case .over: .over
        }
    }

    @Test(arguments: table)
    func every(_ row: Row) async {
        // The machine never looks into the continuation; the test resumes it, once.
        await withUnsafeContinuation { continuation in
            let pump = ParkedContinuation(continuation)
            var state = Self.make(row.before, pump)
            #expect(Self.stage(of: state) == row.before)
            #expect(Self.apply(row.event, to: &state, pump) == row.answer)
            #expect(Self.stage(of: state) == row.after)
            pump.resume()
        }
    }

    @Test
    func `the table has every event in every state once`() {
        let stages: [Stage] = [
            .subscribing(0), .subscribing(3), .idle, .running(0), .running(3), .parked, .last(0), .last(3), .over,
        ]
        for stage in stages {
            for event in Event.allCases {
                #expect(Self.table.count { $0.before == stage && $0.event == event } == 1)
            }
        }
    }

    @Test
    func `demand without a limit stays that`() {
        var state = State("subscriber")
        _ = state.request(.unlimited)
        _ = state.subscribed()
        _ = state.request(.max(1))
        let allowance = state.takeAllowance()
        #expect(allowance == .unlimited)
    }
}
#endif
