// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Dispatch

extension DispatchQueue: CoroutineScheduler {
    /// Runs a closure on the queue.
    ///
    /// On a serial queue one coroutine runs at a time, and alternates with other work on the queue. Main-actor state
    /// may be used on `main`, but the compiler does not know that: use `MainActor.startCoroutine` instead.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1).
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.async(execute: task) }
}
