// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridge

/// What cancelling a waiter of an event loop's future does.
///
/// An `EventLoopFuture` cannot be cancelled, and others may wait for it. So pass a closure that stops its work.
///
/// Minor releases may add cases: a `switch` over it needs `@unknown default`.
@nonexhaustive
public enum EventLoopWaitPolicy: Sendable {
    /// Nothing: the waiter keeps waiting, as with NIO's `get()`. For results that must not be lost.
    case ignore
    /// The waiter stops with `CancellationError`; the future and its work continue, for other waiters. The default.
    case abandon
    /// The waiter stops with `CancellationError`, and the closure is called once, to stop the work.
    ///
    /// It runs where the waiter resumes, outside every lock; it does not run once there is a result.
    case propagate(cancel: @Sendable () -> Void)

    @usableFromInline var mode: CancellationMode {
        switch self {
        case .ignore: .ignore
        case .abandon, .propagate: .prompt
        }
    }

    @usableFromInline
    func cancel() {
        guard case .propagate(let cancel) = self else { return }
        cancel()
    }
}
#endif
