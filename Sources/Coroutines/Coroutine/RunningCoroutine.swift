// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import AsyncBridgeFutures
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
    /// Not the coroutine on whose stack it runs, if it runs there as part of another task.
    @inlinable @inline(__always)
    static var current: RunningCoroutine? {
        guard let block = unsafe ccoro_current() else { return nil }
        return unsafe RunningCoroutine(block)
    }

    /// The coroutine in which this code may wait, ready for one more wait.
    ///
    /// - Parameters:
    ///   - wait: What it is about to wait for.
    ///   - site: Where.
    /// - Returns: The coroutine.
    /// - Throws: ``CoroutineError/outsideCoroutine``, which is reported; `CancellationError` if it was cancelled.
    @inlinable @inline(__always)
    static func toSuspend(for wait: CoroutineWait, at site: CallSite) throws -> RunningCoroutine {
        guard let coroutine = self.current else { throw OutsideWait.refuse(wait, at: site) }
        if coroutine.isCancelled { throw CancellationError() }
        return coroutine
    }

    /// The coroutine in which this code may wait, cancelled or not.
    ///
    /// For a wait that handles the coroutine's cancellation itself, and again after user code has run: in a generator's
    /// body that code may have yielded, and have come back in another coroutine, or in none.
    ///
    /// - Parameters:
    ///   - wait: What it is about to wait for.
    ///   - site: Where.
    /// - Returns: The coroutine.
    /// - Throws: ``CoroutineError/outsideCoroutine``, which is reported; `CancellationError` if it is being unwound.
    @inlinable @inline(__always)
    static func toWait(for wait: CoroutineWait, at site: CallSite) throws -> RunningCoroutine {
        guard let coroutine = self.current else { throw OutsideWait.refuse(wait, at: site) }
        try coroutine.checkUnwinding()
        return coroutine
    }

    /// The coroutine in which this code may wait, if the coroutine itself waits, and not its task.
    @inlinable @inline(__always)
    static var parking: (RunningCoroutine, ParkerReference)? {
        guard let coroutine = self.current, let parker = coroutine.parker, !coroutine.isCancelled else { return nil }
        return (coroutine, parker)
    }

    /// Whether its task, or the coroutine itself, was cancelled.
    @inlinable @inline(__always)
    var isCancelled: Bool {
        if unsafe self.block.pointee.is_cancelled { return true }
        // Safe: the driver outlives the coroutine, which it drives.
        guard let driver = unsafe self.block.pointee.driver else { return unsafe ccoro_task_is_cancelled(self.block) }
        return unsafe Unmanaged<_Parker>.fromOpaque(driver)._withUnsafeGuaranteedRef { $0.isCancelled }
    }

    /// Switches to the coroutine's driver, which serves the request and resumes the coroutine, perhaps on another
    /// thread.
    ///
    /// - Throws: `CancellationError` if the coroutine is being unwound.
    @inlinable @inline(__always)
    func suspend(_ request: ccoro_request) throws {
        try self.checkUnwinding()
        unsafe ccoro_suspend(self.block, request)
        try self.checkUnwinding()
    }

    /// Throws if the coroutine was abandoned while it was suspended: the one place that decides whether it may wait.
    ///
    /// Called before each suspension, because a coroutine that is unwound is resumed once, and never again. Called
    /// after each, because the code that follows runs on the thread that dropped the coroutine, and is only for
    /// `defer`.
    ///
    /// - Throws: `CancellationError`.
    @inlinable @inline(__always)
    func checkUnwinding() throws { if self.isUnwinding { throw CancellationError() } }

    /// Whether the coroutine was abandoned while it was suspended.
    @inlinable @inline(__always)
    var isUnwinding: Bool { unsafe self.block.pointee.is_unwinding }

    /// The parker that waits for this coroutine, unless it belongs to a task: then the task waits.
    @inlinable @inline(__always)
    var parker: ParkerReference? {
        // Safe: the driver outlives the coroutine, which it drives; it is a `ScheduledCoroutine`, and so a `_Parker`.
        guard let driver = unsafe self.block.pointee.driver else { return nil }
        return unsafe ParkerReference(Unmanaged.fromOpaque(driver))
    }

    /// Whether the coroutine runs on a scheduler, and so in no task.
    @inlinable @inline(__always)
    var isScheduled: Bool { unsafe self.block.pointee.driver != nil }

    /// Leaves the coroutine, whose wait has begun, until the wait is over.
    ///
    /// ``toSuspend(for:at:)`` or ``checkUnwinding()`` was called before it was enlisted anywhere.
    @inlinable @inline(__always)
    func park() {
        assert(!self.isUnwinding, "BUG: a coroutine parks while it is unwound")
        unsafe ccoro_suspend(self.block, .park)
    }

    /// Leaves the coroutine while its driver awaits an operation.
    @inlinable @inline(__always)
    func suspend(during call: UnsafeMutablePointer<OperationCall>) {
        unsafe self.block.pointee.operation = UnsafeMutableRawPointer(call)
        unsafe ccoro_suspend(self.block, .operation)
    }
}
