// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Runs coroutines outside of tasks: any type that can run a closure later.
///
/// Schedulers are for coroutines. The functions that start them, such as `startCoroutine`, are in the module
/// `Coroutines`; this module has the protocol, so that a type can conform to it without the engine.
///
/// ```swift
/// final class WorkList: CoroutineScheduler, Sendable {
///     private let queue = DispatchQueue(label: "work")
///
///     func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.queue.async(execute: task) }
/// }
/// ```
///
/// Coroutines started on it run at the same time if its closures may; each runs on one thread at a time. On a scheduler
/// with a single thread they alternate, and the thread is not idle while one of them waits.
///
/// `DispatchQueue` is a scheduler. A `TaskExecutor` only needs to declare the conformance. `Coroutines` has
/// `SerialExecutorScheduler`, which wraps a `SerialExecutor`, and, for the reverse, `SchedulerTaskExecutor`, which runs
/// tasks on a scheduler.
public protocol CoroutineScheduler {
    /// Runs a closure, once, on one of the scheduler's threads.
    ///
    /// The closure may run before this function returns, on the caller's stack; the coroutine's next closure is
    /// scheduled after this function has returned. A scheduler that shuts down drops the closures that it has not run:
    /// their coroutines are unwound, on the thread that dropped them, or, if a closure is dropped before this function
    /// has returned, on the thread that called it. A second run of a closure does nothing.
    ///
    /// ## Isolation
    /// Called on any thread, and on several at once. It must not wait in a coroutine.
    ///
    /// - Parameter task: The closure.
    @preconcurrency
    func scheduleTask(_ task: @escaping @Sendable () -> Void)

    /// Runs a closure, once, on one of the scheduler's threads, for a coroutine whose wait has ended.
    ///
    /// Calls ``scheduleTask(_:)`` by default. A scheduler that knows that the caller is already on its thread may run
    /// the closure at once, which saves a pass through its queue:
    ///
    /// ```swift
    /// func resumeTask(_ task: @escaping @Sendable () -> Void) {
    ///     if self.eventLoop.inEventLoop { task() } else { self.scheduleTask(task) }
    /// }
    /// ```
    ///
    /// ## Isolation
    /// Called on any thread, and on several at once, outside every coroutine, and with enough of the stack left for a
    /// coroutine to run. Otherwise ``scheduleTask(_:)`` is called.
    ///
    /// - Parameter task: The closure.
    @preconcurrency
    func resumeTask(_ task: @escaping @Sendable () -> Void)
}

extension CoroutineScheduler {
    /// Runs a closure as ``scheduleTask(_:)`` does.
    ///
    /// - Parameter task: The closure.
    public func resumeTask(_ task: @escaping @Sendable () -> Void) { self.scheduleTask(task) }
}
