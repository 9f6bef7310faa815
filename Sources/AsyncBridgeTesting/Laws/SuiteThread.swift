// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs a suite apart from Swift's pool.
package enum SuiteThread {
    /// Runs a check on a thread of its own, and comes back to the caller even if the bridge has blocked its threads.
    ///
    /// The caller's task may need a thread of the pool to go on. So if the pool is blocked at the end, the task gets
    /// the highest priority, for which the runtime has other threads. Everything else in the process that needs the
    /// pool, such as the test runner, cannot go on: if the bridge does not release the threads, the process ends.
    ///
    /// - Parameters:
    ///   - grace: How long after the check no task may get a thread.
    ///   - check: The check.
    /// - Returns: The violations that the check found.
    package static func run(
        grace: Duration = .seconds(60),
        _ check: @escaping @Sendable () async -> [Violation]
    ) async -> [Violation] {
        let thread = WorkerThread()
        defer { thread.stop() }
        let priority = Task.currentPriority
        let caller = unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe SuspendedTask($0) } }
        return await Task(executorPreference: thread.executor) {
            let violations = await check()
            if await SwiftPool.isBlocked(for: priority) {
                caller?.escalate()
                // Other code may keep the pool as well: without such a finding the bridge is not to blame.
                if let first = violations.first(where: { $0.law == .noBlocking }) {
                    Self.endProcess(of: first, unlessPoolRunsIn: grace, priority)
                }
            }
            return violations
        }.value
    }

    private static func endProcess(
        of violation: Violation,
        unlessPoolRunsIn grace: Duration,
        _ priority: TaskPriority
    ) {
        let thread = WorkerThread()
        Task(executorPreference: thread.executor) {
            if await SwiftPool.isBlocked(for: priority, patience: grace, notBefore: .now) {
                fatalError(
                    "No task has got a thread for \(grace), so this process would hang. A bridge was found to block "
                        + "threads: \(violation)"
                )
            }
            thread.stop()
        }
    }
}

/// A task that waits for a suite.
///
/// Safe: it is used while the task waits, so that the task is alive.
@safe
private struct SuspendedTask: @unchecked Sendable {
    private let task: UnsafeCurrentTask

    init(_ task: UnsafeCurrentTask) { unsafe self.task = task }

    /// Gives the task the highest priority there is, one above those with a name.
    func escalate() {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        unsafe self.task.escalatePriority(to: TaskPriority(rawValue: 33))
    }
}
