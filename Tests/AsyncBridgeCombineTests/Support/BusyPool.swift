// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Foundation
import Synchronization

/// Tasks that compute until they are told to stop, on every thread of Swift's pool: that has threads for each priority.
///
/// For a process of its own, where they keep no other test from running.
final class BusyPool: Sendable {
    private let running = Atomic(0)
    private let isTold = Atomic(false)
    private let hasGivenUp = Atomic(false)

    /// Starts them, and returns when each core has one.
    ///
    /// To be called on a thread that is none of the pool's.
    init() {
        let count = ProcessInfo.processInfo.activeProcessorCount
        for priority in [TaskPriority.high, .medium] {
            for _ in 0..<count * 4 { Task(priority: priority) { self.compute() } }
        }
        while self.running.load(ordering: .relaxed) < count * 2 { sched_yield() }
    }

    private func compute() {
        self.running.add(1, ordering: .relaxed)
        // Not for ever: a test that fails must end as well.
        let end = ContinuousClock.now + .seconds(10)
        while !self.isTold.load(ordering: .relaxed) {
            if ContinuousClock.now < end { continue }
            self.hasGivenUp.store(true, ordering: .relaxed)
            return
        }
    }

    /// Tells them to stop.
    ///
    /// - Returns: Whether they were still computing, and so what happened before has happened meanwhile.
    func stop() -> Bool {
        let areBusy = !self.hasGivenUp.load(ordering: .relaxed)
        self.isTold.store(true, ordering: .relaxed)
        return areBusy
    }
}
