// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import AsyncBridgeTesting
import Coroutines
import Testing

/// Every event in both states.
@Suite("The end of a coroutine", .timeLimit(.minutes(10)))
struct EndOfCoroutineTests {
    private let called = Collected<String>()
    private let tracker = LifetimeTracker()

    private func observe(_ end: EndOfCoroutine, _ name: String) {
        end.observe { [called, token = self.tracker.token()] in
            withExtendedLifetime(token) {}
            called.append(name)
        }
    }

    @Test func `ahead keeps observers until it comes`() {
        let end = EndOfCoroutine()
        self.observe(end, "first")
        self.observe(end, "second")
        #expect(self.called.all.isEmpty)
        end.come()
        #expect(self.called.all == ["first", "second"])
        #expect(self.tracker.alive == 0)
    }

    @Test func `past calls at once, and keeps nothing`() {
        let end = EndOfCoroutine()
        end.come()
        self.observe(end, "late")
        #expect(self.called.all == ["late"])
        #expect(self.tracker.alive == 0)
    }

    @Test func `past comes once`() {
        let end = EndOfCoroutine()
        self.observe(end, "once")
        end.come()
        end.come()
        #expect(self.called.all == ["once"])
    }

    /// An observer that ran under the lock would never return.
    @Test func `an observer may observe`() {
        let end = EndOfCoroutine()
        end.observe { self.observe(end, "from within") }
        end.come()
        #expect(self.called.all == ["from within"])
    }
}
