// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import NIOCore
import Synchronization

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
        let eventLoop = self.promise.futureResult.eventLoop
        if eventLoop.inEventLoop {
            self.promise.fail(EventLoopError.shutdown)
        } else {
            // Race: it ran when the promise was made.
            let failure = Failure(self.promise)
            eventLoop.execute { failure.pass() }
        }
        self.whenShutDown?()
    }

    /// The failure on its way to a loop that may not run any more.
    private final class Failure: Sendable {
        private let promise: Mutex<EventLoopPromise<Value>?>

        init(_ promise: EventLoopPromise<Value>) { self.promise = Mutex(promise) }

        func pass() { self.promise.withLock { $0.take() }?.fail(EventLoopError.shutdown) }

        // The loop has dropped it, so that nobody can give the promise a result, and waits for its future end in other
        // ways. NIO ends a debug build that releases such a promise. Safe: it is never used again.
        deinit {
            guard let promise = self.promise.withLock({ $0.take() }) else { return }
            _ = unsafe Unmanaged.passRetained(promise.futureResult)
        }
    }
}
#endif
