// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Testing

import AsyncBridgeCombine

/// Every event in every state, with no thread.
@Suite("The state of a scheduler's delayed actions", .timeLimit(.minutes(10)))
struct DelayStateTests {
    private let start = ContinuousClock.now

    private func time(_ seconds: Int) -> ContinuousClock.Instant { self.start.advanced(by: .seconds(seconds)) }

    @Test
    func `the earliest leaves first, and of those at the same time the first to come`() {
        var state = DelayState<String>()
        for (action, seconds) in [("a", 9), ("b", 3), ("c", 3), ("d", 6), ("e", 9), ("f", 3)] {
            state.add(action, at: self.time(seconds))
        }
        let mayBegin = state.reach(self.time(9))
        #expect(mayBegin)
        #expect(state.allDue == ["b", "c", "f", "d", "a", "e"])
    }

    @Test
    func `nothing leaves before its time, and a time is not forgotten for an earlier one`() {
        var state = DelayState<String>()
        for (seconds, expected) in [(0, []), (1, [1]), (3, [2, 3]), (2, []), (4, [4])] {
            if seconds == 0 { for second in [4, 2, 1, 3] { state.add("\(second)", at: self.time(second)) } }
            let mayBegin = state.reach(self.time(seconds))
            #expect(mayBegin)
            #expect(state.allDue == expected.map(String.init))
        }
    }

    @Test
    func `what comes between two that leave takes its place among the rest`() {
        var state = DelayState<Int>()
        for second in 0..<100 { state.add(second, at: self.time(second)) }
        _ = state.reach(self.time(59))
        #expect(state.allDue == Array(0..<60))
        for second in [99, 40, 70] { state.add(-second, at: self.time(second)) }
        _ = state.reach(self.time(200))
        // One array, and no sum of five: Swift 6.2 cannot check the type of that.
        let expected: [Int] = [[-40], Array(60...70), [-70], Array(71...99), [-99]].flatMap { $0 }
        #expect(state.allDue == expected)
    }

    @Test
    func `one thread hands over at a time, also what becomes due meanwhile`() {
        var state = DelayState<String>()
        state.add("first", at: self.time(1))
        var answers = [state.reach(self.time(1)), state.reach(self.time(1))]
        #expect(answers == [true, false])
        var actions = [state.next()]
        state.add("second", at: self.time(2))
        answers = [state.reach(self.time(2))]
        #expect(answers == [false])
        actions.append(state.next())
        actions.append(state.next())
        #expect(actions == ["first", "second", nil])
        answers = [state.reach(self.time(2))]
        #expect(answers == [true])
    }

    @Test
    func `one timer ends when the earliest is due`() {
        var state = DelayState<String>()
        var times = [state.nextTimer()]
        for second in [5, 7, 5, 3, 4] {
            state.add("\(second)", at: self.time(second))
            times.append(state.nextTimer())
        }
        #expect(times == [nil, self.time(5), nil, nil, self.time(3), nil])
        _ = state.reach(self.time(4))
        times = [state.nextTimer()]
        #expect(times == [nil], "a thread hands over")
        #expect(state.allDue == ["3", "4"])
        // The one for the fifth second has not ended, but is not known any more.
        times = [state.nextTimer(), state.nextTimer()]
        #expect(times == [self.time(5), nil])
        _ = state.reach(self.time(7))
        #expect(state.allDue == ["5", "5", "7"])
        times = [state.nextTimer()]
        #expect(times == [nil])
    }

    @Test
    func `what comes while a thread hands over gets its timer afterwards`() {
        var state = DelayState<String>()
        state.add("first", at: self.time(1))
        var times = [state.nextTimer()]
        _ = state.reach(self.time(1))
        state.add("second", at: self.time(2))
        times.append(state.nextTimer())
        #expect(state.allDue == ["first"])
        times.append(state.nextTimer())
        #expect(times == [self.time(1), nil, self.time(2)])
    }
}

extension DelayState {
    /// What a thread that hands over gets.
    fileprivate var allDue: [Action] {
        mutating get {
            var all: [Action] = []
            while let action = self.next() { all.append(action) }
            return all
        }
    }
}
#endif
