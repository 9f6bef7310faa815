// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Testing

/// Lets others run until something is so that comes without any doubt.
func until(_ condition: () -> Bool) async { while !condition() { await Task.yield() } }

extension CoChannel {
    /// Whether somebody waits in it to receive, or stands there still.
    var hasReceivers: Bool { self.storage.machine.withLock { !$0.receivers.isEmpty } }

    /// Whether somebody waits in it to send, or stands there still.
    var hasSenders: Bool { self.storage.machine.withLock { !$0.senders.isEmpty } }
}

extension AnyCoFuture {
    /// Waits until it was cancelled, which may happen later, on another stack.
    func whenCancelled() async throws {
        try await withCallback { done in self.add(ActionObserver { _ in done.resume() }) }
        #expect(self.isCanceled)
    }
}
