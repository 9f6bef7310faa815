// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Dispatch

extension DispatchQueue: CoroutineScheduler {
    /// Runs a closure on the queue.
    ///
    /// - Parameter task: The closure.
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.async(execute: task) }
}
