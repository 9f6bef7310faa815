// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore

extension CoFuture {
    /// An event loop's future with the same result.
    ///
    /// ```swift
    /// let reply = CoFuture { try await answer(request) }.eventLoopFuture(on: eventLoop)
    /// ```
    ///
    /// It always gets a result, even if this future is cancelled, or is a promise that is dropped: NIO ends a debug
    /// build whose promise is dropped.
    ///
    /// ## The end of the loop
    /// When the event loop is shut down first, the new future fails with `EventLoopError.shutdown`, and its callbacks
    /// run. On a loop that was shut down before, the new future is a failed one, and NIO runs no callbacks: it writes
    /// "Cannot schedule tasks on an EventLoop that has already shut down" to standard error, and `get()` never returns.
    /// ``NIOCore/EventLoopFuture/value(cancellation:fileID:line:)`` and ``NIOCore/EventLoopFuture/coFuture(onCancel:)``
    /// of that future fail with `EventLoopError.shutdown`.
    ///
    /// With `SWIFTNIO_STRICT`, settling or cancelling this future while the loop is shutting down may end the process:
    /// see ``EventLoopScheduler``.
    ///
    /// Loops that do not announce their end, those of `NIOEmbedded` and of Network.framework, leave the future without
    /// a result if they drop the work that completes it.
    ///
    /// ## Cancellation
    /// A cancelled future fails the other one with `CancellationError`.
    ///
    /// ## Isolation
    /// Callbacks of the new future run on the event loop.
    ///
    /// - Parameter eventLoop: The event loop.
    /// - Returns: The future.
    /// - Complexity: O(1).
    @inlinable
    public final func eventLoopFuture(on eventLoop: any EventLoop) -> EventLoopFuture<Value> {
        self.eventLoopFuture(on: eventLoop, whenShutDown: nil)
    }

    /// The same, with a closure that is called when the event loop is shut down first, after the new future has failed.
    @inlinable
    final func eventLoopFuture(
        on eventLoop: any EventLoop,
        whenShutDown: (@Sendable () -> Void)?
    ) -> EventLoopFuture<Value> {
        if let result = self.result { return eventLoop.makeCompletedFuture(result) }
        guard LoopWait.isRunning(eventLoop) else {
            whenShutDown?()
            return eventLoop.makeFailedFuture(EventLoopError.shutdown)
        }
        let answer = LoopPromise<Value>(on: eventLoop, whenShutDown: whenShutDown)
        let promise = answer.promise
        let wait = LoopWait(answer)
        guard wait.join(eventLoop) else { return promise.futureResult }
        self.whenComplete { result in
            if eventLoop.inEventLoop {
                if wait.leave() { promise.completeWith(result) }
            } else if !wait.isOver {
                // It leaves on the loop: a loop that ends meanwhile drops this, and has failed the promise.
                eventLoop.execute { if wait.leave() { promise.completeWith(result) } }
            }
        }
        return promise.futureResult
    }
}
#endif
