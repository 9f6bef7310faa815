// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

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
    @inlinable @inline(__always)
    func broadcast(_ element: Disconnected<Element>, orEnlist waiter: WaiterReference?) -> Machine.SendAction {
        self.machine.withLock { $0.send(element, orEnlist: waiter) }
    }

    /// Whether a claimed sender was told that the broadcast has ended.
    ///
    /// Under the lock, because the claimer may not have woken the sender yet.
    @inline(never)
    func wasEndedByBroadcast(_ sender: WaiterReference) -> Bool {
        self.machine.withLock { $0.firstEnd?.isOfBroadcast == true && sender.outcome == .ended }
    }
}

extension ChannelEnd {
    /// The end of a subscriber's channel that a broadcast makes.
    init(_ end: BroadcastEnd) {
        switch end {
        case .closed: self = .closed
        case .failed: self = .failed
        // Not `cancelled`, which is the subscriber's.
        case .cancelled: self = .refused
        }
    }

    /// Whether the broadcast has ended a subscriber's channel, and not the subscriber.
    var isOfBroadcast: Bool {
        switch self {
        case .closed, .failed, .refused: true
        case .cancelled, .sendersGone, .receiversGone: false
        }
    }
}

extension BroadcastEnd {
    /// The error for senders and subscribers.
    var error: any Error {
        switch self {
        case .closed: CoChannelError.closed
        case .failed(let error): error
        case .cancelled: CancellationError()
        }
    }
}
