// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridgeFutures
public import Foundation

extension OperationQueue: CoroutineScheduler {
    /// Runs a closure on the queue, as an operation.
    ///
    /// `cancelAllOperations()` drops the steps that wait in the queue: their coroutines are unwound.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1).
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.addOperation(task) }
}
