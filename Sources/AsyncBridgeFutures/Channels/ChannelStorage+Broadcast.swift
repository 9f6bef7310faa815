// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

extension ChannelStorage {
    /// Tries to send for a broadcast, which holds its own lock, and later runs the returned action.
    ///
    /// Lock order: the broadcast's lock, then this one. No code takes them in the opposite order: only the channel's
    /// machine runs under this lock, and it knows no broadcast.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - waiter: The waiter to enlist if there is no room; none if `nil`.
    /// - Returns: What the broadcast does after its lock.
    func broadcast(_ element: Disconnected<Element>, orEnlist waiter: WaiterReference?) -> Machine.SendAction {
        self.machine.withLock { $0.send(element, orEnlist: waiter) }
    }

    /// Whether a claimed sender was told that the channel is closed.
    ///
    /// Under the lock, because the claimer may not have woken the sender yet.
    @inline(never)
    func wasClosed(_ sender: WaiterReference) -> Bool {
        self.machine.withLock { $0.end == .closed && sender.outcome == .ended }
    }
}
