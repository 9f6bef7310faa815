// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Synchronization

/// A scheduler that keeps closures until the test runs them, or drops them.
final class ManualScheduler: CoroutineScheduler, Sendable {
    /// A queue: what is to be taken lies in reverse order, so that no element moves twice.
    private struct Closures {
        var coming: [@Sendable () -> Void] = []
        var going: [@Sendable () -> Void] = []

        mutating func takeFirst() -> (@Sendable () -> Void)? {
            if self.going.isEmpty {
                swap(&self.going, &self.coming)
                self.going.reverse()
            }
            return self.going.popLast()
        }
    }

    private let closures = Mutex(Closures())
    private let arrivals = EventLog()

    func scheduleTask(_ task: @escaping @Sendable () -> Void) {
        self.closures.withLock { $0.coming.append(task) }
        self.arrivals.record("closure")
    }

    var count: Int { self.closures.withLock { $0.coming.count + $0.going.count } }

    private func take() -> (@Sendable () -> Void)? { self.closures.withLock { $0.takeFirst() } }

    /// Runs the oldest closure on this thread.
    @discardableResult
    func runOne() -> Bool {
        guard let closure = self.take() else { return false }
        closure()
        return true
    }

    /// Runs closures, those that come meanwhile included, until there is none.
    func run() { while self.runOne() {} }

    /// Drops the oldest closure.
    func dropOne() { _ = self.take() }

    /// Waits until so many closures have ever come.
    func arrivals(atLeast count: Int) async throws { try await self.arrivals.events(atLeast: count) }
}
