// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The threads that Swift's runtime has for tasks, which a wrong bridge may block.
package enum SwiftPool {
    /// A task that was begun to see whether it gets a thread.
    private struct Probe: Sendable {
        let hasRun = Watched(false)
        let begin = ContinuousClock.now
        let workBegin = ProcessorTime.ofProcess

        /// Whether the process has computed since then: blocked threads compute nothing.
        var hasBeenBusy: Bool {
            ProcessorTime.ofProcess - self.workBegin > (ContinuousClock.now - self.begin) * SwiftPool.busyShare
        }

        /// Waits for it.
        func runs(until deadline: ContinuousClock.Instant) async -> Bool {
            await self.hasRun.wait(patience: max(.zero, deadline - ContinuousClock.now)) { $0 }
        }
    }

    /// What reports say when no task gets a thread.
    static let isBlockedText =
        "no task gets a thread of Swift's pool, so the bridge, or other code of this process, blocks them all"

    /// How much of one processor a process uses at least while its tasks compute.
    private static let busyShare = 0.25

    /// How often patience may run out while something explains it.
    private static let attempts = 4

    /// The priorities whose threads are looked at, since the runtime may have separate ones for each: the priority of
    /// the suites' calls, and that of a detached task.
    private static let priorities = [TaskPriority.high, .medium]

    /// The latest probe of each priority.
    private static let probes = Mutex<[UInt8: Probe]>([:])

    /// Looks whether tasks cannot run.
    ///
    /// A probe that has not run is looked at again, so that this takes time once, and a busy pool gets no more to do.
    /// Tasks that compute for long keep others waiting too, and so does a machine that has much else to do: there it
    /// has several times as much patience.
    ///
    /// - Parameters:
    ///   - priority: One more priority to look at.
    ///   - patience: How long a task may need to begin; by default much longer than on a busy machine.
    ///   - earliest: When that time begins at the earliest: a probe may be older.
    /// - Returns: Whether there is a priority at which a task has not run in time.
    package static func isBlocked(
        for priority: TaskPriority? = nil,
        patience: Duration = .seconds(20),
        notBefore earliest: ContinuousClock.Instant? = nil
    ) async -> Bool {
        for probe in self.probes(of: priority) {
            var attempt = 1
            let begin = max(probe.begin, earliest ?? probe.begin)
            while await !probe.runs(until: begin + patience * attempt) {
                guard attempt < self.attempts else { return true }
                guard await self.isExcused(probe) else { return true }
                attempt += 1
            }
        }
        return false
    }

    /// Looks whether tasks run at once, or soon.
    ///
    /// - Parameter patience: How long a task may need to begin, whatever else the machine does.
    /// - Returns: Whether a task has run in time at each priority.
    static func runs(within patience: Duration) async -> Bool {
        for probe in self.probes(of: nil) where await !probe.runs(until: probe.begin + patience) { return false }
        return true
    }

    private static func isExcused(_ probe: Probe) async -> Bool {
        if probe.hasBeenBusy { return true }
        return await MachinePace.keepsThreadsWaiting()
    }

    private static func probes(of priority: TaskPriority?) -> [Probe] {
        (self.priorities + (priority.map { [$0] } ?? [])).map { self.probe($0) }
    }

    private static func probe(_ priority: TaskPriority) -> Probe {
        let (probe, isNew) = self.probes.withLock { probes in
            if let probe = probes[priority.rawValue], !probe.hasRun.value { return (probe, false) }
            let probe = Probe()
            probes[priority.rawValue] = probe
            return (probe, true)
        }
        if isNew { Task.detached(priority: priority) { probe.hasRun.update { $0 = true } } }
        return probe
    }
}
