// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import CCoroutines

/// The coroutine that the code runs in, for the time between two of its suspensions.
///
/// Safe: the block lies on the coroutine's own stack, which lives until the coroutine has ended, and the value does not
/// leave the code that runs in it.
@safe @usableFromInline
struct RunningCoroutine {
    @usableFromInline let block: UnsafeMutablePointer<ccoro_block>

    @inlinable @inline(__always)
    init(_ block: UnsafeMutablePointer<ccoro_block>) { unsafe self.block = block }

    /// The coroutine in which this code may wait, if it runs in one.
    ///
    /// Not the one on whose stack it runs, if it runs there as part of another task.
    @inlinable @inline(__always)
    static var current: RunningCoroutine? {
        guard let block = unsafe ccoro_current() else { return nil }
        return unsafe RunningCoroutine(block)
    }

    /// The coroutine in which this code may wait, ready for one more wait.
    ///
    /// - Throws: ``CoroutineError/outsideCoroutine``; `CancellationError` if it was cancelled.
    @inlinable @inline(__always)
    static func toSuspend() throws -> RunningCoroutine {
        guard let coroutine = self.current else { throw CoroutineError.outsideCoroutine }
        if coroutine.isCancelled { throw CancellationError() }
        return coroutine
    }

    /// Whether its task, or the coroutine itself, was cancelled.
    @inlinable @inline(__always)
    var isCancelled: Bool {
        if unsafe self.block.pointee.is_cancelled { return true }
        // Safe: the driver outlives the coroutine, which it drives.
        guard let driver = unsafe self.block.pointee.driver else { return unsafe ccoro_task_is_cancelled(self.block) }
        return unsafe Unmanaged<ScheduledCoroutine>.fromOpaque(driver).takeUnretainedValue().isCancelled
    }

    /// Leaves the coroutine for its driver, which does what is asked and resumes it, perhaps on another thread.
    ///
    /// - Throws: `CancellationError` if the coroutine is being unwound.
    @inlinable @inline(__always)
    func suspend(_ request: ccoro_request) throws {
        unsafe ccoro_suspend(self.block, request)
        try self.checkUnwinding()
    }

    /// Throws if the coroutine was abandoned while it was suspended.
    ///
    /// Asked after each suspension: what follows runs on whatever thread let go of the coroutine, and is for `defer` only.
    ///
    /// - Throws: `CancellationError`.
    @inlinable @inline(__always)
    func checkUnwinding() throws {
        if unsafe self.block.pointee.is_unwinding { throw CancellationError() }
    }

    /// Leaves the coroutine while its driver awaits an operation.
    @inlinable @inline(__always)
    func suspend(during call: UnsafeMutablePointer<OperationCall>) {
        unsafe self.block.pointee.operation = UnsafeMutableRawPointer(call)
        unsafe ccoro_suspend(self.block, .operation)
    }
}
