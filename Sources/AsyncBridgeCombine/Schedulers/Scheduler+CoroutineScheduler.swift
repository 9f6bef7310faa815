// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridgeFutures
public import OpenCombineShim

extension Scheduler {
    /// The scheduler for coroutines: `OperationQueue.main.ocombine.forCoroutines.startCoroutine { … }`.
    ///
    /// A scheduler that runs its action at once, as Combine's `ImmediateScheduler` does, starts coroutines in the call
    /// that starts them. A `RunLoop` runs them only while it is running.
    public var forCoroutines: CombineScheduler<Self> { CombineScheduler(self) }
}

/// One of Combine's schedulers, which runs coroutines; made by `forCoroutines`.
///
/// Safe: Combine's schedulers are called on any thread, by operators whose upstream sends on any.
public struct CombineScheduler<Base: Scheduler>: CoroutineScheduler, @unchecked Sendable {
    private let base: Base

    init(_ base: Base) { self.base = base }

    /// Runs a closure on the scheduler, as soon as it can.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: That of the scheduler.
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.base.schedule(task) }
}
#endif
