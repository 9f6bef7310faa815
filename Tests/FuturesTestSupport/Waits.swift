// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
package import AsyncBridgeFutures
import Testing

extension CoChannel {
    /// Whether somebody waits in it to receive, or stands there still.
    package var hasReceivers: Bool { self.storage.machine.withLock { !$0.receivers.isEmpty } }

    /// Whether somebody waits in it to send, or stands there still.
    package var hasSenders: Bool { self.storage.machine.withLock { !$0.senders.isEmpty } }
}

extension AnyCoFuture {
    /// Waits until it was cancelled, which may happen later, on another stack.
    package func whenCancelled() async throws {
        try await withCallback { done in self.add(ActionObserver { _ in done.resume() }) }
        #expect(self.isCancelled)
    }
}
