// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import Testing

import AsyncBridgeCombine

/// Every event in every state, with no thread.
@Suite("The state of a repeated action", .timeLimit(.minutes(10)))
struct RepeatStateTests {
    @Test
    func `each round's timer replaces the one before`() {
        var state = RepeatState<String>()
        let replaced = (0..<3).map { state.begin($0, with: "timer \($0)") }
        #expect(replaced == [nil, "timer 0", "timer 1"])
        let (isGoing, stopped) = (state.isGoing, state.stop())
        #expect(isGoing && stopped == "timer 2")
    }

    @Test
    func `the timer of a round that has ended is not kept`() {
        var state = RepeatState<String>()
        let unneeded = [state.begin(1, with: "newer"), state.begin(0, with: "older"), state.begin(1, with: "same")]
        #expect(unneeded == [nil, "older", "same"])
        let stopped = state.stop()
        #expect(stopped == "newer")
    }

    @Test
    func `once stopped, no round begins`() {
        var state = RepeatState<String>()
        let none = state.stop()
        #expect(none == nil)
        let (isGoing, unneeded, again) = (state.isGoing, state.begin(0, with: "late"), state.stop())
        #expect(!isGoing && unneeded == "late" && again == nil)
    }
}
#endif
