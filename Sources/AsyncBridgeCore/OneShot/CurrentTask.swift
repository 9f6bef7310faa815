// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge

/// What the hot path needs to know about the current task.
@usableFromInline
package enum CurrentTask {
    /// The same as `Task.isCancelled`, at a third of its cost.
    @usableFromInline package static var isCancelled: Bool { casyncbridge_is_cancelled() }

    /// Whether resuming the current task calls an executor that is not Swift's own: one that the task prefers.
    ///
    /// It may run the task's code in that call. The executor of an actor is not called there: a continuation resumes
    /// its task in the pool or on the preferred executor, and the task goes to its actor from there.
    package static var isResumedByOthersCode: Bool {
        // Safe: the task does not leave the closure.
        unsafe withUnsafeCurrentTask { task in unsafe task?.unownedTaskExecutor != nil }
    }

    /// Makes a synchronous call in the current task, and calls a function if the task is cancelled meanwhile, or was
    /// before.
    ///
    /// What `withTaskCancellationHandler` does, without an async closure.
    ///
    /// - Parameters:
    ///   - object: What the function gets.
    ///   - cancel: Called at most once, not after this function has returned, on the thread that cancels, under a lock
    ///     of the runtime.
    ///   - call: The call.
    /// - Returns: What the call returns.
    package static func withCancellationHandler<Result>(
        _ object: Unmanaged<some AnyObject & Sendable>,
        _ cancel: @convention(c) (UnsafeMutableRawPointer) -> Void,
        during call: () -> Result
    ) -> Result {
        // Safe: the object lives longer than the call, and the handler is removed in this call.
        let handler = unsafe casyncbridge_add_cancellation_handler(cancel, object.toOpaque())
        defer { unsafe casyncbridge_remove_cancellation_handler(handler) }
        return call()
    }

    /// Suspends the current task until its continuation is resumed, on the caller's actor or without one.
    ///
    /// What `withTaskCancellationHandler` around `withUnsafeContinuation` does, without an async closure. The library's
    /// closure takes an actor's code to the pool and back, unless it captures the actor; code without an actor it takes
    /// there and back in any case.
    ///
    /// - Parameters:
    ///   - object: What the function gets; an object that lives until this function has returned.
    ///   - cancel: Called if the task is cancelled meanwhile, or was before: at most once, not after this function has
    ///     returned, on the thread that cancels, under a lock of the runtime.
    ///   - park: Gets the continuation, in the current task, to be resumed once.
    // Not inlined: see `casyncbridge_add_cancellation_handler`.
    @inline(never)
    package nonisolated(nonsending) static func suspend(
        _ object: UnsafeMutableRawPointer,
        onCancel cancel: @convention(c) (UnsafeMutableRawPointer) -> Void,
        _ park: (ParkedContinuation) -> Void
    ) async {
        // Safe: the object lives longer than this call, and the handler is removed in this call.
        let handler = unsafe casyncbridge_add_cancellation_handler(cancel, object)
        unsafe await withUnsafeContinuation { continuation in park(unsafe ParkedContinuation(continuation)) }
        unsafe casyncbridge_remove_cancellation_handler(handler)
    }

    /// Suspends the current task until its continuation is resumed, whatever happens to it.
    ///
    /// - Parameter park: Gets the continuation, in the current task, to be resumed once.
    package nonisolated(nonsending) static func suspend(_ park: (ParkedContinuation) -> Void) async {
        // Safe: the continuation is resumed once.
        unsafe await withUnsafeContinuation { continuation in park(unsafe ParkedContinuation(continuation)) }
    }
}
