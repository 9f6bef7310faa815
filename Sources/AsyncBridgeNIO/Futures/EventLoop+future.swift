// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore

extension EventLoop {
    /// Starts a task, and makes a future of its result.
    ///
    /// ```swift
    /// func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    ///     let request = self.unwrapInboundIn(data)
    ///     let reply = context.eventLoop.future(in: self.scope) { try await answer(request) }
    ///     reply.assumeIsolated().whenComplete { result in
    ///         switch result {
    ///         case .success(let answer): context.writeAndFlush(self.wrapOutboundOut(answer), promise: nil)
    ///         case .failure: context.close(promise: nil)
    ///         }
    ///     }
    /// }
    ///
    /// func channelInactive(context: ChannelHandlerContext) {
    ///     self.scope.cancel()
    ///     context.fireChannelInactive()
    /// }
    /// ```
    ///
    /// Several calls run at the same time, and end in any order. A handler whose peer sends without waiting for each
    /// answer needs order and back-pressure: `bridge(inbound:outbound:)` of the channel.
    ///
    /// The future always gets a result: when the event loop is shut down first, it fails with
    /// `EventLoopError.shutdown`, and the task is cancelled. On a loop that was shut down before, the task is not
    /// started; see ``AsyncBridgeFutures/CoFuture/eventLoopFuture(on:)`` for the future, and for what else may happen
    /// during the shutdown.
    ///
    /// ## Cancellation
    /// Cancelling the scope, or releasing it, cancels the task; the future fails with `CancellationError` at once. With
    /// a scope that is cancelled already, nothing is started.
    ///
    /// ## Isolation
    /// The task inherits priority and task-locals, and runs in Swift's pool; callbacks of the future run on the loop.
    ///
    /// - Parameters:
    ///   - scope: Cancels the task when it is cancelled or released; defaults to no scope.
    ///   - priority: The task's priority; defaults to the current one.
    ///   - operation: The async code.
    /// - Returns: The future.
    /// - Complexity: O(1); starts one task.
    @inlinable
    public func future<Value: Sendable>(
        in scope: CoScope? = nil,
        priority: TaskPriority? = nil,
        _ operation: @escaping @Sendable () async throws -> Value
    ) -> EventLoopFuture<Value> {
        let promise = CoPromise<Value>()
        // First, so that a cancelled scope keeps the task from being started.
        if let scope { scope.add(promise) }
        let future = promise.eventLoopFuture(on: self, whenShutDown: { promise.cancel() })
        guard !promise.isSettled else { return future }
        let task = Task(priority: priority) {
            do { promise.success(try await operation()) } catch { promise.fail(error) }
        }
        promise.whenCancelled { task.cancel() }
        return future
    }
}
#endif
