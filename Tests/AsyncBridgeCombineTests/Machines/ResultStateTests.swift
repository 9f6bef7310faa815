// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Testing

import AsyncBridgeCombine

/// Every event in every state, against a table written by hand, with no thread.
@Suite("The state of a subscription to one result", .timeLimit(.minutes(10)))
struct ResultStateTests {
    private typealias State = ResultState<Int, Failure, String>

    enum Stage: CaseIterable {
        case waiting
        case asked
        case held
        case sending
        case over
    }

    enum Event: CaseIterable {
        case request
        case succeed
        case fail
        case finish
        case cancel
        case drop
    }

    enum Answer: Equatable {
        case nothing
        case value(Int)
        case failure
        /// Tell the subscriber that there are no more.
        case finished
        /// Release the subscriber, and the value if there is one.
        case leftovers(Int?)
    }

    typealias Row = MachineRow<Stage, Event, Answer>

    // The value that is there is 1, the one that comes is 2.
    static let table: [Row] = [
        Row(.waiting, .request, .nothing, .asked),
        Row(.waiting, .succeed, .nothing, .held),
        Row(.waiting, .fail, .failure, .over),
        Row(.waiting, .finish, .nothing, .waiting),
        Row(.waiting, .cancel, .leftovers(nil), .over),
        Row(.waiting, .drop, .leftovers(nil), .over),
        Row(.asked, .request, .nothing, .asked),
        Row(.asked, .succeed, .value(2), .sending),
        Row(.asked, .fail, .failure, .over),
        Row(.asked, .finish, .nothing, .asked),
        Row(.asked, .cancel, .leftovers(nil), .over),
        Row(.asked, .drop, .nothing, .asked),
        Row(.held, .request, .value(1), .sending),
        Row(.held, .succeed, .nothing, .held),
        Row(.held, .fail, .nothing, .held),
        Row(.held, .finish, .nothing, .held),
        Row(.held, .cancel, .leftovers(1), .over),
        Row(.held, .drop, .leftovers(1), .over),
        Row(.sending, .request, .nothing, .sending),
        Row(.sending, .succeed, .nothing, .sending),
        Row(.sending, .fail, .nothing, .sending),
        Row(.sending, .finish, .finished, .over),
        Row(.sending, .cancel, .leftovers(nil), .over),
        Row(.sending, .drop, .nothing, .sending),
        Row(.over, .request, .nothing, .over),
        Row(.over, .succeed, .nothing, .over),
        Row(.over, .fail, .nothing, .over),
        Row(.over, .finish, .nothing, .over),
        Row(.over, .cancel, .nothing, .over),
        Row(.over, .drop, .nothing, .over),
    ]

    private static func make(_ stage: Stage) -> State {
        var state = State("subscriber")
        switch stage {
        case .waiting:
            break
        case .asked:
            _ = state.request()
        case .held:
            _ = state.settle(.success(1))
        case .sending:
            _ = state.request()
            _ = state.settle(.success(1))
        case .over:
            _ = state.cancel()
        }
        return state
    }

    private static func apply(_ event: Event, to state: inout State) -> Answer {
        switch event {
        case .request: return Self.answer(state.request())
        case .succeed: return Self.answer(state.settle(.success(2)))
        case .fail: return Self.answer(state.settle(.failure(Failure(3))))
        case .finish: return state.finish() == "subscriber" ? .finished : .nothing
        case .cancel: return Self.answer(state.cancel())
        case .drop: return Self.answer(state.drop())
        }
    }

    private static func answer(_ leftovers: State.Leftovers?) -> Answer {
        guard let leftovers else { return .nothing }
        #expect(leftovers.downstream == "subscriber")
        return .leftovers(leftovers.value)
    }

    private static func answer(_ delivery: State.Delivery) -> Answer {
        switch delivery {
        case .none:
            return .nothing
        case .value(let downstream, let value):
            #expect(downstream == "subscriber")
            return .value(value)
        case .failure(let downstream, let error):
            #expect(downstream == "subscriber" && error == Failure(3))
            return .failure
        }
    }

    /// Tells the stage by what the machine, made anew for each question, answers.
    private static func stage(_ make: () -> State) -> Stage {
        if make().isOver { return .over }
        var first = make()
        var second = make()
        var third = make()
        if first.finish() != nil { return .sending }
        if case .value = second.request() { return .held }
        if case .value = third.settle(.success(0)) { return .asked }
        return .waiting
    }

    @Test(arguments: table)
    func every(_ row: Row) {
        var state = Self.make(row.before)
        #expect(Self.apply(row.event, to: &state) == row.answer)
        let after = Self.stage {
            var state = Self.make(row.before)
            _ = Self.apply(row.event, to: &state)
            return state
        }
        #expect(after == row.after)
    }

    @Test
    func `the table has every event in every state once`() {
        for stage in Stage.allCases {
            for event in Event.allCases {
                #expect(Self.table.count { $0.before == stage && $0.event == event } == 1)
            }
        }
    }
}
#endif
