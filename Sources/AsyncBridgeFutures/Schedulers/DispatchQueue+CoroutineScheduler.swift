// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Dispatch

extension DispatchQueue: CoroutineScheduler {
    /// Runs a closure on the queue.
    ///
    /// On a serial queue one coroutine runs at a time, and alternates with whatever else is on the queue. What is the
    /// main actor's may be used on `main`, but the compiler does not know it: take `MainActor.startCoroutine` for that.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1).
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.async(execute: task) }
}
