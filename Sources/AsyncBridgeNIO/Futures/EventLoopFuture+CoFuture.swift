// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore
import Synchronization

extension EventLoopFuture where Value: Sendable {
    /// A `CoFuture` with the same result, for coroutines, `select` and publishers.
    ///
    /// ```swift
    /// let reply = try connection.send(request).coFuture().await()
    /// ```
    ///
    /// ## Cancellation
    /// A cancelled `CoFuture` ends at once. The event loop's future cannot be cancelled and continues; pass a closure
    /// that stops its work.
    ///
    /// ## Isolation
    /// The future is settled, and its observers run, on the event loop. On that loop, a future that already has its
    /// result returns a future that has it too.
    ///
    /// ## The end of the loop
    /// When the loop is shut down before the future gets its result, or before its callbacks have run, the `CoFuture`
    /// fails with `EventLoopError.shutdown`, also while other code holds the promise. Loops that do not announce their
    /// end, those of `NIOEmbedded` and of Network.framework, do that only if they drop the callback.
    ///
    /// With `SWIFTNIO_STRICT`, a call on another thread while the loop is shutting down may end the process: see
    /// ``EventLoopScheduler``.
    ///
    /// - Parameter cancel: Stops the work when the `CoFuture` is cancelled; called at most once, in that call, and not
    ///   if this future already has its result.
    /// - Returns: The future.
    /// - Complexity: O(1).
    @inlinable
    public func coFuture(onCancel cancel: (@Sendable () -> Void)? = nil) -> CoFuture<Value> {
        let promise = CoPromise<Value>()
        guard let cancel else {
            self.whenComplete(orShutDown: promise) { promise.complete(with: $0) }
            return promise
        }
        let completion = FutureCompletion()
        self.whenComplete(orShutDown: promise) { result in
            completion.note()
            promise.complete(with: result)
        }
        // A future that has failed with `CancellationError` of its own counts as cancelled.
        promise.whenCancelled { if !completion.isNoted { cancel() } }
        return promise
    }

    /// Adds a callback; it is not called after the waiter was told that the loop has ended.
    @inlinable
    func whenComplete(
        orShutDown waiter: some LoopWaiter,
        _ callback: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let wait = LoopWait(waiter)
        if self.eventLoop.inEventLoop {
            self.whenComplete { if wait.leave() { callback($0) } }
            // Most have their result.
            wait.join(self.eventLoop)
        } else if wait.join(self.eventLoop) {
            self.whenComplete { if wait.leave() { callback($0) } }
        }
    }
}

extension CoPromise: LoopWaiter {
    @usableFromInline
    package func loopHasEnded() { self.fail(EventLoopError.shutdown) }
}

/// Whether an event loop's future has its result, and nothing is left to be stopped.
@usableFromInline
final class FutureCompletion: Sendable {
    private let noted = Atomic(false)

    @usableFromInline
    init() {}

    @usableFromInline
    func note() { self.noted.store(true, ordering: .releasing) }

    @usableFromInline var isNoted: Bool { self.noted.load(ordering: .acquiring) }
}
#endif
