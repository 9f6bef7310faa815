// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

extension ChannelStorage {
    /// Tries to send for a broadcast, which holds its own lock, and does afterwards what this returns.
    ///
    /// Lock order: the broadcast's lock, then this one. Nobody takes them the other way round: what runs under this
    /// lock is the channel's machine, which knows no broadcast.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - waiter: Who is enlisted if there is no room; nobody if `nil`.
    /// - Returns: What the broadcast does after its lock.
    func broadcast(_ element: Disconnected<Element>, orEnlist waiter: WaiterReference?) -> Machine.SendAction {
        self.machine.withLock { $0.send(element, orEnlist: waiter) }
    }

    /// Whether a sender, who was claimed, was told that the channel is closed.
    ///
    /// Under the lock, because who claimed the sender may not have woken it yet.
    @inline(never)
    func wasClosed(_ sender: WaiterReference) -> Bool {
        self.machine.withLock { $0.end == .closed && sender.outcome == .ended }
    }
}
