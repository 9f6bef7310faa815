// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// The threads that Swift's runtime has for tasks, which a wrong bridge may block.
enum SwiftPool {
    /// A task that was begun to see whether it gets a thread.
    private struct Probe: Sendable {
        let hasRun = Watched(false)
        let begin = ContinuousClock.now
    }

    /// The priorities whose threads are looked at, since the runtime may have separate ones for each: the priority of
    /// the suites' calls, and that of a detached task.
    private static let priorities = [TaskPriority.high, .medium]

    /// The latest probe of each priority.
    private static let probes = Mutex<[UInt8: Probe]>([:])

    /// Looks whether tasks run.
    ///
    /// A probe that has not run is looked at again, so that this takes time once, and a busy pool gets no more to do.
    ///
    /// - Parameters:
    ///   - priority: One more priority to look at.
    ///   - patience: How long a task may need to begin; by default much longer than on a busy machine.
    /// - Returns: Whether there is a priority at which a task has not run in time.
    static func isBlocked(for priority: TaskPriority? = nil, patience: Duration = .seconds(20)) async -> Bool {
        let probes = (self.priorities + (priority.map { [$0] } ?? [])).map { self.probe($0) }
        for probe in probes {
            let rest = max(.zero, probe.begin + patience - ContinuousClock.now)
            if await !probe.hasRun.wait(patience: rest, until: { $0 }) { return true }
        }
        return false
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
