// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Testing

@testable import Coroutines

/// Each state of a scope, and each event in it.
@Suite("State of a CoScope")
struct CoScopeStateTests {
    private let log = EventLog()
    private let tracker = LifetimeTracker()

    private func action(_ name: String) -> CoScopeState.Action {
        let token = self.tracker.token(name)
        return { [log] in
            log.record(name)
            withExtendedLifetime(token) {}
        }
    }

    private func key(_ action: CoScopeState.AddAction) -> UInt64? {
        guard case .removeAtEnd(let key) = action else { return nil }
        return key
    }

    // MARK: Open

    @Test func open_isEmptyAtFirst() {
        let state = CoScopeState()
        #expect(state.isEmpty)
        #expect(!state.isCancelled)
    }

    @Test func open_add_givesEachItemAKeyOfItsOwn() throws {
        var state = CoScopeState()
        let first = try #require(self.key(state.add(self.action("first"))))
        let second = try #require(self.key(state.add(self.action("second"))))
        #expect(first != second)
        #expect(!state.isEmpty)
        #expect(self.log.events == [])
    }

    @Test func open_remove_handsTheActionBackOnce() throws {
        var state = CoScopeState()
        let key = try #require(self.key(state.add(self.action("item"))))
        var action = state.remove(key)
        #expect(action != nil)
        #expect(state.remove(key) == nil)
        #expect(state.isEmpty)
        #expect(!state.isCancelled)
        action = nil
        #expect(self.tracker.alive == 0)
        #expect(self.log.events == [])
    }

    @Test func open_observe_isKept() {
        var state = CoScopeState()
        guard case .keep = state.observe(self.action("observer")) else {
            Issue.record("An observer was to be called before the end")
            return
        }
        #expect(state.isEmpty)
        #expect(self.log.events == [])
    }

    @Test func open_cancel_handsOverTheItemsInTheirOrder_andThenTheObservers() throws {
        var state = CoScopeState()
        _ = state.observe(self.action("observer 1"))
        for number in 1...20 { _ = state.add(self.action("item \(number)")) }
        let removed = try #require(self.key(state.add(self.action("removed"))))
        _ = state.observe(self.action("observer 2"))
        _ = state.remove(removed)
        for action in state.cancel() { action() }
        #expect(self.log.events == (1...20).map { "item \($0)" } + ["observer 1", "observer 2"])
        #expect(state.isCancelled)
        #expect(state.isEmpty)
        #expect(self.tracker.alive == 0)
    }

    // MARK: Cancelled

    private func cancelled() -> CoScopeState {
        var state = CoScopeState()
        _ = state.cancel()
        return state
    }

    @Test func cancelled_add_isToBeCancelled_andNotKept() {
        var state = self.cancelled()
        guard case .cancel = state.add(self.action("item")) else {
            Issue.record("A cancelled scope has kept an item")
            return
        }
        #expect(state.isEmpty)
        #expect(self.tracker.alive == 0)
    }

    @Test func cancelled_remove_doesNothing() throws {
        var state = CoScopeState()
        let key = try #require(self.key(state.add(self.action("item"))))
        _ = state.cancel()
        #expect(state.remove(key) == nil)
        #expect(state.isCancelled)
    }

    @Test func cancelled_observe_isToBeCalled() {
        var state = self.cancelled()
        guard case .call = state.observe(self.action("observer")) else {
            Issue.record("A cancelled scope has kept an observer")
            return
        }
        #expect(self.tracker.alive == 0)
    }

    @Test func cancelled_cancel_doesNothing() {
        var state = self.cancelled()
        #expect(state.cancel().isEmpty)
        #expect(state.isCancelled)
    }
}
