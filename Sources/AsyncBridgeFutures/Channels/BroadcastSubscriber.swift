// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A broadcast's end of a subscriber's channel.
///
/// Safe: the sender is never replaced, and keeps the channel's storage alive for as long as this value lives.
@safe @usableFromInline
struct BroadcastSubscriber<Element: Sendable>: Sendable {
    // The channel is open to elements as long as it has a sender.
    private let sender: CoChannel<Element>.Sender
    /// Not counted: two more changes of a counter are a fifth of what an element costs.
    @usableFromInline let uncounted: Unmanaged<ChannelStorage<Element>>

    init(_ sender: CoChannel<Element>.Sender) {
        self.sender = sender
        unsafe self.uncounted = Unmanaged.passUnretained(sender.storage)
    }

    @inlinable var storage: ChannelStorage<Element> { unsafe self.uncounted.takeUnretainedValue() }

    /// Tries to send an element, and enlists no waiter if there is no room.
    @inlinable @inline(__always)
    func broadcast(_ element: Disconnected<Element>) -> ChannelStorage<Element>.Machine.SendAction {
        unsafe self.uncounted._withUnsafeGuaranteedRef { $0.broadcast(element, orEnlist: nil) }
    }
}
