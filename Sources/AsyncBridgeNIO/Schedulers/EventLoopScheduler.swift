// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if NIO
public import AsyncBridgeFutures
public import NIOCore

extension EventLoopGroup {
    /// The scheduler for coroutines on one of the group's event loops; an event loop's scheduler stays on that loop.
    ///
    /// ```swift
    /// channel.eventLoop.scheduler.startCoroutine {
    ///     let reply = try connection.send(request).coFuture().await()
    ///     channel.writeAndFlush(reply, promise: nil)
    /// }
    /// ```
    ///
    /// Each access takes the group's next event loop, so keep the scheduler for coroutines that belong together.
    ///
    /// - Complexity: O(1).
    public var scheduler: EventLoopScheduler { EventLoopScheduler(self.next()) }
}

/// Runs coroutines on an event loop, with its handlers and callbacks, one at a time.
///
/// ## Isolation
/// All of a coroutine's code runs on the loop: `eventLoop.assertInEventLoop()` holds after each wait. If a wait ends on
/// the loop itself, such as one for a future of this loop, the coroutine continues at once, inside the call that ended
/// the wait, like a callback of the future. A coroutine that is woken by another one continues after that one has begun
/// to wait.
///
/// An `EmbeddedEventLoop` takes every thread for its own. So a coroutine there goes on where its wait ends: on a thread
/// of timers, after `.after` and timeouts, and in Swift's pool, after async code. Wait for futures of the loop instead.
///
/// ## The end of the loop
/// Nothing runs on an event loop that was shut down: coroutines on it are unwound by the thread that wakes them. One
/// that waits for something else than the loop, such as a callback or a channel, stays until that wait ends: cancel it,
/// or the scope that it belongs to, before the loop is shut down.
///
/// A coroutine that is started on such a loop never runs: it ends with `EventLoopError.shutdown`, which `onError` gets,
/// or `BridgeDiagnostics.uncaughtErrorHandler`.
///
/// ## Work during the shutdown
/// NIO refuses what other threads schedule from a moment before it tells of the loop's end, and has no call that only
/// asks. In between, it writes an error, or ends a process with `SWIFTNIO_STRICT`, if another thread
///
/// - starts or wakes a coroutine on the loop,
/// - settles or cancels a `CoFuture` that `eventLoopFuture(on:)` or `future(in:_:)` has bridged to the loop,
/// - begins to wait for a future of the loop,
/// - or uses a `BridgedChannel` or a `ConnectionGroup` on it.
///
/// Wait for such work, or cancel it, before you shut the loop down. Once the loop has told of its end, nothing more is
/// scheduled on it.
///
/// A loop that nothing in this module knew before its end is asked once, with the same error or end of the process. If
/// it may be used after its end, make a scheduler of it while it runs.
public struct EventLoopScheduler: CoroutineScheduler, Sendable {
    /// The event loop.
    public let eventLoop: any EventLoop

    // Known from now on, so that nothing is scheduled after its end.
    private let end: LoopEnd?

    /// Makes a scheduler from an event loop; all schedulers of one loop are equal.
    ///
    /// - Parameter eventLoop: The event loop.
    public init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        self.end = LoopEnd.of(eventLoop)
    }

    /// Runs a closure on the event loop, later; releases it if the loop was shut down.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1).
    public func scheduleTask(_ task: @escaping @Sendable () -> Void) {
        // NIO would write an error, or end the process.
        if let end = self.end, end.isOver, !self.eventLoop.inEventLoop { return }
        self.eventLoop.execute(task)
    }

    /// Runs a closure on the event loop: at once, if the caller is on it; releases it if the loop was shut down.
    ///
    /// - Parameter task: The closure.
    /// - Complexity: O(1), and that of the closure if it runs at once.
    public func resumeTask(_ task: @escaping @Sendable () -> Void) {
        if self.eventLoop.inEventLoop { task() } else { self.scheduleTask(task) }
    }
}

extension EventLoopScheduler: ShutDownScheduler {
    package var shutDownError: (any Error)? { EventLoopError.shutdown }
}
#endif
