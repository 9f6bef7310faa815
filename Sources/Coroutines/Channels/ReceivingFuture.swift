// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The next element of a channel, as a future.
///
/// Whether it gets an element or is cancelled is decided at the waiter, as for everybody who waits in a channel: one of
/// the two claims it. So an element that has left the channel comes to the future, even if it is cancelled at that
/// moment.
///
/// Safe: its property is written before anybody else has the future; the rest as `CoFuture`.
@usableFromInline
final class ReceivingFuture<Value: Sendable>: CoFuture<Value>, @unchecked Sendable {
    @usableFromInline nonisolated(unsafe) var receiver: ChannelCallback?

    @usableFromInline
    override init() {
        unsafe self.receiver = nil
        super.init()
    }

    /// - Parameter start: Begins to receive, for this future: calls its second argument, which does not keep the
    ///   future, with the result, and returns what waits for it.
    @inlinable
    convenience init(
        _ start: (AnyCoFuture, @escaping @Sendable (sending Result<Value, any Error>) -> Void) -> ChannelCallback?
    ) {
        self.init()
        unsafe self.receiver = start(self) { [unowned self] in self.settle($0) }
    }

    override func cancelled(_: inout FutureFiring) -> ObserverList {
        unsafe self.receiver?.cancelWait()
        return .empty
    }

    // The work behind it is its own wait.
    @usableFromInline
    override func abandon() { self.cancel() }
}
