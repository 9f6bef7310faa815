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
    /// build whose promise is dropped. But the event loop must run: futures of a loop that was shut down get no result.
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
        if let result = self.result { return eventLoop.makeCompletedFuture(result) }
        let promise = eventLoop.makePromise(of: Value.self)
        self.whenComplete { promise.completeWith($0) }
        return promise.futureResult
    }
}
#endif
