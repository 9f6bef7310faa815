// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import NIOCore

/// A promise whose future was handed out, and that fails when the loop is shut down first.
@usableFromInline
package final class LoopPromise<Value: Sendable>: LoopWaiter {
    @usableFromInline package let promise: EventLoopPromise<Value>
    private let whenShutDown: (@Sendable () -> Void)?

    /// - Parameters:
    ///   - eventLoop: The loop.
    ///   - whenShutDown: Called after the promise has failed.
    @usableFromInline
    package init(on eventLoop: any EventLoop, whenShutDown: (@Sendable () -> Void)? = nil) {
        self.promise = eventLoop.makePromise()
        self.whenShutDown = whenShutDown
    }

    @usableFromInline package var future: EventLoopFuture<Value> { self.promise.futureResult }

    @usableFromInline
    package func loopHasEnded() {
        if self.future.eventLoop.inEventLoop { self.promise.fail(EventLoopError.shutdown) } else { self.keepForever() }
        self.whenShutDown?()
    }

    /// The loop does not run any more, so nobody can give the promise a result; who waits for its future is told in
    /// other ways.
    ///
    /// NIO ends a debug build that releases such a promise. Safe: it is never used again.
    private func keepForever() { _ = unsafe Unmanaged.passRetained(self.future) }
}
#endif
