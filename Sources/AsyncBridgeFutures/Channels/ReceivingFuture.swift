// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The next element of a channel, as a future.
///
/// Whether it gets an element or is cancelled is decided at the waiter, as for every waiter in a channel: one of the
/// two claims it. So an element that has left the channel reaches the future, even if that is cancelled at that moment.
///
/// Whether the element was read is known only when the future is released: if it never was, it is undelivered. It
/// cannot be known earlier: a waiter may have been cancelled a moment ago, and still have a reference.
///
/// Safe: its properties are written before other code has the future; the rest as `CoFuture`.
@usableFromInline
final class ReceivingFuture<Value: Sendable>: CoFuture<Value>, @unchecked Sendable {
    @usableFromInline nonisolated(unsafe) var receiver: ChannelCallback?
    private let onUndelivered: (@Sendable (sending Value) -> Void)?

    @usableFromInline
    init(onUndelivered: (@Sendable (sending Value) -> Void)?) {
        unsafe self.receiver = nil
        self.onUndelivered = onUndelivered
        super.init()
        self.notesReading = onUndelivered != nil
    }

    deinit {
        guard let onUndelivered = self.onUndelivered, self.isUnread else { return }
        onUndelivered(self.payload.copy(as: Value.self))
    }

    /// Receives from a channel.
    @inlinable
    convenience init(from storage: ChannelStorage<Value>) {
        self.init(onUndelivered: storage.onUndelivered)
        // It keeps itself alive until its wait is over.
        unsafe self.receiver = storage.whenReceive { self.settle($0) }
    }

    /// Receives from a channel whose elements are transformed.
    ///
    /// There the undelivered value is the element itself, so this must be decided before the transform gets it, unless
    /// that returns the element as it is.
    ///
    /// - Parameters:
    ///   - onUndelivered: Gets the value if it was never read.
    ///   - start: Begins to receive, for this future: calls its second argument, which does not keep the future, with
    ///     the result, and returns the waiter.
    @inlinable
    convenience init(
        onUndelivered: (@Sendable (sending Value) -> Void)?,
        _ start: (AnyCoFuture, @escaping @Sendable (sending Result<Value, any Error>) -> Void) -> ChannelCallback?
    ) {
        self.init(onUndelivered: onUndelivered)
        unsafe self.receiver = start(self) { [unowned self] in self.settle($0) }
    }

    override var cancellation: FutureCancellation { .endsWait }

    override func cancelWork(_ observers: ObserverList, _: inout FutureFiring) -> ObserverList {
        unsafe self.receiver?.cancelWait()
        return observers
    }
}
