// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A scheduler, which is meant to be used from many threads.
///
/// Safe: only `scheduleTask` and `resumeTask` are called, and `CoroutineScheduler` requires that they may be called on
/// any thread. The protocol does not inherit from `Sendable` so that classes of Swift 5 conform to it unchanged.
struct SchedulerReference: @unchecked Sendable {
    private let scheduler: any CoroutineScheduler

    init(_ scheduler: some CoroutineScheduler) { self.scheduler = scheduler }

    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.scheduler.scheduleTask(task) }

    func resumeTask(_ task: @escaping @Sendable () -> Void) { self.scheduler.resumeTask(task) }

    /// With what a coroutine ends that this scheduler drops before it begins, if not silently.
    var shutDownError: (any Error)? { (self.scheduler as? any ShutDownScheduler)?.shutDownError }

    func startCoroutine(_ task: @escaping @Sendable () throws -> Void) { self.scheduler.startCoroutine(task: task) }
}
