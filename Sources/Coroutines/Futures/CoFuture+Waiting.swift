// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import CCoroutines

/// What cancelling one who waits for a future does.
@nonexhaustive
public enum WaitPolicy: Sendable, Hashable {
    /// Nothing: it waits on. For results that must be taken over whatever happens.
    case ignore
    /// It stops waiting, with `CancellationError`; the future and its work go on, for others. The default.
    case abandon
    /// It stops waiting, with `CancellationError`, and the future is cancelled, with the work behind it.
    ///
    /// For a coroutine on a scheduler in the call that cancels it, as ``CoroutineHandle/cancel()``: observers of the
    /// future run there. For a task, and code in `withCoroutine`, when the task goes on, on its own thread: the runtime
    /// holds a lock while it cancels a task, under which no observer may run.
    case propagate
}

// MARK: - In async code

extension CoFuture {
    /// The value, for async code, which waits until there is a result.
    ///
    /// ## Cancellation
    /// Ends the wait at once, and leaves the future alone: ``WaitPolicy/abandon``.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// A property does not know its caller: in the list of pending waits, the place of this wait is `value:0`. Call
    /// ``value(onCancel:fileID:line:)`` to see the caller's.
    ///
    /// - Throws: The future's error; `CancellationError` if the future or the task was cancelled. A result that is
    ///   there is returned in a cancelled task too.
    /// - Complexity: O(1).
    public final var value: Value {
        get async throws { try await self.value(onCancel: .abandon, fileID: "value", line: 0) }
    }

    /// Waits, in async code, until there is a result.
    ///
    /// ## Cancellation
    /// As the policy says.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Parameters:
    ///   - policy: What cancelling the task does.
    ///   - fileID: The caller's file, for lists of waits.
    ///   - line: The caller's line, for lists of waits.
    /// - Returns: The value.
    /// - Throws: The future's error; `CancellationError` if the future or the task was cancelled.
    /// - Complexity: O(1).
    public final nonisolated(nonsending) func value(
        onCancel policy: WaitPolicy,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        await self.settlement(policy, "CoFuture", at: CallSite(fileID: fileID, line: line))
        guard let result = self.result else { throw CancellationError() }
        return try result.get()
    }
}

extension AnyCoFuture {
    /// Waits until there is a result, or the wait has ended otherwise.
    ///
    /// - Parameters:
    ///   - policy: What cancelling the task does.
    ///   - wait: What the list of pending waits calls it.
    ///   - site: Where it was called.
    final nonisolated(nonsending) func settlement(
        _ policy: WaitPolicy,
        _ wait: StaticString,
        at site: CallSite
    ) async {
        guard let waiters = self.waiters() else { return }
        let place = TaskPlace<Void>()
        defer { place.free() }
        switch waiters.enlist(place.waiter) {
        case .over, .cancelled: return
        case .enlisted: break
        }
        await place.parker.suspend(wait, made: site, endsWhenCancelled: policy != .ignore)
        if place.waiter.outcome == .done { return }
        waiters.withdraw(place.waiter)
        if policy == .propagate { self.cancel() }
    }
}

// MARK: - In coroutines

extension CoFuture {
    /// Waits, in a coroutine, until there is a result.
    ///
    /// ## Cancellation
    /// Ends the wait at once, and leaves the future alone: ``WaitPolicy/abandon``.
    ///
    /// ## Isolation
    /// The coroutine goes on where it was: in its task, on its actor, or on its scheduler.
    ///
    /// - Parameters:
    ///   - policy: What cancelling the coroutine does.
    ///   - fileID: The caller's file, for lists of coroutines.
    ///   - line: The caller's line, for lists of coroutines.
    /// - Returns: The value.
    /// - Throws: The future's error; `CancellationError` if the future or the coroutine was cancelled;
    ///   ``CoroutineError/outsideCoroutine``. A result that is there is returned everywhere. While a generator or a
    ///   coroutine is unwound, nothing can wait, whatever the policy: `CancellationError`.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use `try await future.value` in async code")
    public final func await(
        onCancel policy: WaitPolicy = .abandon,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Value {
        if let result = self.result { return try result.get() }
        let coroutine = try RunningCoroutine.toWait()
        let site = CallSite(fileID: fileID, line: line)
        coroutine.note(.future, at: site)
        try self.settle(in: coroutine, policy, at: site)
        guard let result = self.result else { throw CancellationError() }
        return try result.get()
    }
}

extension AnyCoFuture {
    final func settle(in coroutine: RunningCoroutine, _ policy: WaitPolicy, at site: CallSite) throws {
        try coroutine.checkUnwinding()
        // A coroutine that is cancelled parks no more: what must wait on waits in a task.
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
        // Before the code of others runs, which may go on in another coroutine.
        let isUnwinding = coroutine.isUnwinding
        if policy == .propagate {
            if !isDone { self.cancel() }
            // Last: the code that cancels the coroutine relies on it that the future was cancelled.
            scheduled?.endPropagating(to: self)
        }
        if isUnwinding { throw CancellationError() }
    }
}
