// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Testing

import AsyncBridgeCombine

/// Every event in every state, for each wish, against a table written by hand.
@Suite("The state of a wait for one of a publisher's elements", .timeLimit(.minutes(10)))
struct ValueStateTests {
    enum Stage: CaseIterable {
        case none
        case latest
        case over
    }

    enum Event: CaseIterable {
        case value
        case finish
        case end
    }

    enum Answer: Equatable {
        case nothing
        case value(Int)
        case noValue
        case severalValues
        /// There was no result, so the failure is it.
        case failure
    }

    struct Row: CustomTestStringConvertible {
        let wanted: PublisherValue
        let before: Stage
        let event: Event
        let answer: Answer
        let after: Stage

        init(_ wanted: PublisherValue, _ before: Stage, _ event: Event, _ answer: Answer, _ after: Stage) {
            self.wanted = wanted
            self.before = before
            self.event = event
            self.answer = answer
            self.after = after
        }

        var testDescription: String { "\(self.wanted), \(self.before), \(self.event)" }
    }

    // The value that is there is 1, the one that comes is 2. A wait for the first keeps none.
    static let table: [Row] = [
        Row(.first, .none, .value, .value(2), .over),
        Row(.first, .none, .finish, .noValue, .over),
        Row(.first, .none, .end, .failure, .over),
        Row(.first, .over, .value, .nothing, .over),
        Row(.first, .over, .finish, .nothing, .over),
        Row(.first, .over, .end, .nothing, .over),
        Row(.last, .none, .value, .nothing, .latest),
        Row(.last, .none, .finish, .noValue, .over),
        Row(.last, .none, .end, .failure, .over),
        Row(.last, .latest, .value, .nothing, .latest),
        Row(.last, .latest, .finish, .value(1), .over),
        Row(.last, .latest, .end, .failure, .over),
        Row(.last, .over, .value, .nothing, .over),
        Row(.last, .over, .finish, .nothing, .over),
        Row(.last, .over, .end, .nothing, .over),
        Row(.single, .none, .value, .nothing, .latest),
        Row(.single, .none, .finish, .noValue, .over),
        Row(.single, .none, .end, .failure, .over),
        Row(.single, .latest, .value, .severalValues, .over),
        Row(.single, .latest, .finish, .value(1), .over),
        Row(.single, .latest, .end, .failure, .over),
        Row(.single, .over, .value, .nothing, .over),
        Row(.single, .over, .finish, .nothing, .over),
        Row(.single, .over, .end, .nothing, .over),
    ]

    private static func make(_ wanted: PublisherValue, _ stage: Stage) -> ValueState<Int> {
        var state = ValueState<Int>(wanted)
        switch stage {
        case .none: break
        case .latest: _ = state.receive(1)
        case .over: _ = state.end()
        }
        return state
    }

    private static func apply(_ event: Event, to state: inout ValueState<Int>) -> Answer {
        switch event {
        case .value: Self.answer(state.receive(2).outcome)
        case .finish: Self.answer(state.finish())
        case .end: state.end() != nil ? .failure : .nothing
        }
    }

    private static func answer(_ outcome: ValueState<Int>.Outcome?) -> Answer {
        switch outcome {
        case nil: .nothing
        case .value(let value)?: .value(value)
        case .noValue?: .noValue
        case .severalValues?: .severalValues
        }
    }

    /// Tells the stage by what the machine, made anew for each question, answers.
    private static func stage(_ make: () -> ValueState<Int>) -> Stage {
        var first = make()
        var second = make()
        if first.end() == nil { return .over }
        if case .value = second.finish() { return .latest }
        return .none
    }

    @Test(arguments: table)
    func every(_ row: Row) {
        var state = Self.make(row.wanted, row.before)
        #expect(Self.apply(row.event, to: &state) == row.answer)
        let after = Self.stage {
            var state = Self.make(row.wanted, row.before)
            _ = Self.apply(row.event, to: &state)
            return state
        }
        #expect(after == row.after)
    }

    @Test
    func `the table has every event in every state that there is, once`() {
        for wanted in [PublisherValue.first, .last, .single] {
            for stage in Stage.allCases where !(wanted == .first && stage == .latest) {
                for event in Event.allCases {
                    let rows = Self.table.filter { $0.wanted == wanted && $0.before == stage && $0.event == event }
                    #expect(rows.count == 1)
                }
            }
        }
    }

    @Test
    func `an element that is not the result any more is handed out, to be released outside the lock`() {
        for wanted in [PublisherValue.last, .single] {
            var replacing = Self.make(wanted, .latest)
            let replaced = replacing.receive(2).replaced
            #expect(replaced == 1)
            var ending = Self.make(wanted, .latest)
            let leftovers = ending.end()
            #expect(leftovers?.value == 1)
        }
    }

    @Test
    func `the last is the newest one`() {
        var state = ValueState<Int>(.last)
        for value in 1...3 { _ = state.receive(value) }
        let answer = Self.answer(state.finish())
        #expect(answer == .value(3))
    }
}
#endif
