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
    ///     reply.assumeIsolated().whenSuccess { context.writeAndFlush(self.wrapOutboundOut($0), promise: nil) }
    /// }
    /// ```
    ///
    /// The future always gets a result, as long as the event loop runs: after its shutdown NIO completes no future, and
    /// ends a debug build.
    ///
    /// ## Cancellation
    /// Cancelling the scope, or releasing it, cancels the task; the future fails with `CancellationError` at once.
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
        let future = CoFuture(priority: priority, operation: operation)
        if let scope { scope.add(future) }
        return future.eventLoopFuture(on: self)
    }
}
#endif
