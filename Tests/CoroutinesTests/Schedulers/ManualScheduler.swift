// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Synchronization

/// A scheduler that keeps closures until the test runs them, or lets go of them.
final class ManualScheduler: CoroutineScheduler, Sendable {
    private let closures = Mutex<[@Sendable () -> Void]>([])
    private let arrivals = EventLog()

    func scheduleTask(_ task: @escaping @Sendable () -> Void) {
        self.closures.withLock { $0.append(task) }
        self.arrivals.record("closure")
    }

    var count: Int { self.closures.withLock { $0.count } }

    private func take() -> (@Sendable () -> Void)? {
        self.closures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Runs the oldest closure on this thread.
    @discardableResult
    func runOne() -> Bool {
        guard let closure = self.take() else { return false }
        closure()
        return true
    }

    /// Runs closures, those that come meanwhile included, until there is none.
    func run() { while self.runOne() {} }

    /// Lets go of the oldest closure.
    func dropOne() { _ = self.take() }

    /// Waits until so many closures have ever come.
    func arrivals(atLeast count: Int) async throws { try await self.arrivals.events(atLeast: count) }
}
