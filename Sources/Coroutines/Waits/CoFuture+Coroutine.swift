// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CCoroutines

extension CoFuture {
    /// Waits, in a coroutine, until there is a result.
    ///
    /// ## Cancellation
    /// Ends the wait at once, and leaves the future alone: ``WaitPolicy/abandon``.
    ///
    /// ## Isolation
    /// The coroutine continues where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Parameters:
    ///   - policy: What cancelling the coroutine does.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The value.
    /// - Throws: The future's error; `CancellationError` if the future or the coroutine was cancelled;
    ///   ``CoroutineError/outsideCoroutine``. An existing result is returned everywhere. While a generator or a
    ///   coroutine is unwound, nothing can wait, whatever the policy, and this throws `CancellationError`.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use `try await future.value` in async code")
    @inlinable
    public final func await(
        cancellation policy: WaitPolicy = .abandon,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Value {
        if let result = self.result { return try result.get() }
        return try self.awaitSettled(policy, at: CallSite(fileID: fileID, line: line))
    }

    // Apart from the function above: in code that knows the type, a future that has its result costs no wait.
    @usableFromInline
    final func awaitSettled(_ policy: WaitPolicy, at site: CallSite) throws -> Value {
        let coroutine = try RunningCoroutine.toWait(for: .future, at: site)
        coroutine.note(.future, at: site)
        try self.settle(in: coroutine, policy, at: site)
        guard let result = self.result else { throw CancellationError() }
        return try result.get()
    }
}

extension AnyCoFuture {
    final func settle(in coroutine: RunningCoroutine, _ policy: WaitPolicy, at site: CallSite) throws {
        try coroutine.checkUnwinding()
        // A cancelled coroutine can no longer park. So `.ignore` waits in a task.
        guard policy != .ignore, let parker = coroutine.parker else {
            return try coroutine.perform { await self.settlement(policy, "CoFuture", at: site) }
        }
        guard let waiters = self.waiters() else { return }
        let scheduled = policy == .propagate ? coroutine.scheduled : nil
        scheduled?.propagateCancellation(to: self)
        var waiter = unsafe Waiter(parker, slot: nil)
        let isDone = unsafe withUnsafeMutablePointer(to: &waiter) { address in
            // Safe: it lies in this frame, which the coroutine does not leave while it waits.
            let waiter = unsafe WaiterReference(address)
            switch waiters.enlist(waiter) {
            case .over: return true
            case .cancelled: return false
            case .enlisted: break
            }
            coroutine.park()
            if waiter.outcome == .done { return true }
            waiters.withdraw(waiter)
            return false
        }
        // Before user code runs, which may go on in another coroutine.
        let isUnwinding = coroutine.isUnwinding
        if policy == .propagate {
            if !isDone { self.cancel() }
            // Last: the code that cancels the coroutine relies on the future having been cancelled.
            scheduled?.endPropagating(to: self)
        }
        if isUnwinding { throw CancellationError() }
    }
}
