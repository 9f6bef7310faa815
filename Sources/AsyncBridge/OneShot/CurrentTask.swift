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
        // Safe: the handler stays at its address until it is removed, and the object lives longer than the call.
        var handler = unsafe casyncbridge_cancellation_handler(call: cancel, context: object.toOpaque(), record: nil)
        return unsafe withUnsafeMutablePointer(to: &handler) { handler in
            unsafe casyncbridge_add_cancellation_handler(handler)
            defer { unsafe casyncbridge_remove_cancellation_handler(handler) }
            return call()
        }
    }
}
