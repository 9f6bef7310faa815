// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import Testing

@Suite("The count of the subscribers that a send waits for", .timeLimit(.minutes(10)))
struct BroadcastTallyStateTests {
    static func pending(_ count: Int) -> BroadcastTallyState {
        var state = BroadcastTallyState()
        state.begin(count)
        return state
    }

    static func parked(_ count: Int, _ sender: HandMadeWaiter) -> BroadcastTallyState {
        var state = Self.pending(count)
        guard case .enlisted = state.enlist(ParkerReference(sender)) else { preconditionFailure("not enlisted") }
        _ = sender.park()
        return state
    }

    static func over() -> BroadcastTallyState {
        var state = Self.pending(1)
        _ = state.settle(isClosed: false)
        return state
    }

    @Suite struct Settle {
        @Test func `when offering, is counted`() {
            var state = BroadcastTallyState()
            #expect(state.settle(isClosed: false) == nil)
            #expect(!state.isOver)
            state.begin(1)
            #expect(state.isOver)
        }

        @Test func `when pending, the last ends it`() {
            var state = pending(2)
            #expect(state.settle(isClosed: true) == nil)
            #expect(!state.isOver && state.wasClosed)
            #expect(state.settle(isClosed: false) == nil, "nobody is parked")
            #expect(state.isOver && state.wasClosed)
        }

        @Test func `when parked, the last wakes the sender`() throws {
            let sender = HandMadeWaiter.kept()
            var state = parked(2, sender)
            #expect(state.settle(isClosed: false) == nil)
            let woken = state.settle(isClosed: false)
            #expect(state.isOver && !state.wasClosed)
            try #require(woken != nil)
            woken?.wake()
            #expect(sender.comebacks == 1)
        }

        @Test func `when parked and cancelled, nobody is woken`() {
            let sender = HandMadeWaiter.kept()
            var state = parked(1, sender)
            sender.cancelWait()
            #expect(state.settle(isClosed: false) == nil)
            #expect(state.isOver)
            #expect(sender.comebacks == 1, "by the cancellation")
        }

        @Test func `when over, is a bug`() async {
            await #expect(processExitsWith: .failure) {
                var state = BroadcastTallyStateTests.over()
                _ = state.settle(isClosed: false)
            }
        }
    }

    @Suite struct Begin {
        @Test func `when offering, waits for those without room`() {
            var state = BroadcastTallyState()
            _ = state.settle(isClosed: false)
            state.begin(2)
            #expect(!state.isOver)
            _ = state.settle(isClosed: false)
            #expect(state.isOver)
        }

        @Test func `when pending, is a bug`() async {
            await #expect(processExitsWith: .failure) {
                var state = BroadcastTallyStateTests.pending(1)
                state.begin(1)
            }
        }

        @Test func `when over, is a bug`() async {
            await #expect(processExitsWith: .failure) {
                var state = BroadcastTallyStateTests.over()
                state.begin(1)
            }
        }
    }

    @Suite struct Enlist {
        @Test func `when offering, is a bug`() async {
            await #expect(processExitsWith: .failure) {
                var state = BroadcastTallyState()
                let sender = HandMadeWaiter.kept()
                _ = state.enlist(ParkerReference(sender))
            }
        }

        @Test func `when pending, parks`() {
            let sender = HandMadeWaiter.kept()
            var state = pending(1)
            guard case .enlisted = state.enlist(ParkerReference(sender)) else {
                return _ = Issue.record("not enlisted")
            }
        }

        @Test func `when pending, a cancelled sender goes on`() {
            let sender = HandMadeWaiter.cancelled()
            var state = pending(1)
            guard case .cancelled = state.enlist(ParkerReference(sender)) else {
                return _ = Issue.record("not cancelled")
            }
            #expect(state.settle(isClosed: false) == nil)
        }

        @Test func `when parked, is a bug`() async {
            await #expect(processExitsWith: .failure) {
                let (first, second) = (HandMadeWaiter.kept(), HandMadeWaiter.kept())
                var state = BroadcastTallyStateTests.parked(1, first)
                _ = state.enlist(ParkerReference(second))
            }
        }

        @Test func `when over, goes on`() {
            let sender = HandMadeWaiter.kept()
            var state = over()
            guard case .over = state.enlist(ParkerReference(sender)) else { return _ = Issue.record("not over") }
        }
    }

    @Suite struct Leave {
        @Test func `when parked, nobody is woken later`() {
            let sender = HandMadeWaiter.kept()
            var state = parked(1, sender)
            state.leave()
            #expect(state.settle(isClosed: false) == nil)
            #expect(state.isOver)
            #expect(sender.comebacks == 0)
        }

        @Test func `when over, does nothing`() {
            var state = over()
            state.leave()
            #expect(state.isOver)
        }
    }
}

private func pending(_ count: Int) -> BroadcastTallyState { BroadcastTallyStateTests.pending(count) }
private func parked(_ count: Int, _ sender: HandMadeWaiter) -> BroadcastTallyState {
    BroadcastTallyStateTests.parked(count, sender)
}
private func over() -> BroadcastTallyState { BroadcastTallyStateTests.over() }
