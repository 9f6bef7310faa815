// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Foundation
import Synchronization

/// Work that computes until it is told to stop, on every thread of Swift's pool: that has threads for each priority.
///
/// For a process of its own, where it keeps no other test from running.
package final class BusyPool: Sendable {
    /// Who keeps the threads.
    package enum Work {
        case tasks
        /// Blocks of Dispatch's global queues, whose threads the pool's are.
        case blocks
    }

    private let running = Atomic(0)
    private let isTold = Atomic(false)
    private let hasGivenUp = Atomic(false)

    /// Starts it, and returns when each core has some.
    ///
    /// To be called on a thread that is none of the pool's.
    package init(of work: Work = .tasks) {
        let count = ProcessInfo.processInfo.activeProcessorCount
        switch work {
        case .tasks:
            for priority in [TaskPriority.high, .medium] {
                for _ in 0..<count * 4 { Task(priority: priority) { self.compute() } }
            }
        case .blocks:
            for quality in [DispatchQoS.QoSClass.userInitiated, .default] {
                for _ in 0..<count * 4 { DispatchQueue.global(qos: quality).async { self.compute() } }
            }
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

    /// Tells it to stop.
    ///
    /// - Returns: Whether it was still computing, and so what happened before has happened meanwhile.
    package func stop() -> Bool {
        let isBusy = !self.hasGivenUp.load(ordering: .relaxed)
        self.isTold.store(true, ordering: .relaxed)
        return isBusy
    }
}
