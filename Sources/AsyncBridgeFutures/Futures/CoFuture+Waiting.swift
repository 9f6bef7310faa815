// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// What cancelling a waiter of a future does.
///
/// Minor releases may add cases: a `switch` over it needs `@unknown default`.
@nonexhaustive
public enum WaitPolicy: Sendable, Hashable {
    /// Nothing: the waiter keeps waiting. For results that must not be lost.
    case ignore
    /// The waiter stops with `CancellationError`; the future and its work continue, for other waiters. The default.
    case abandon
    /// The waiter stops with `CancellationError`, and the future is cancelled together with its work.
    ///
    /// A task, and code in `withCoroutine`, cancels the future when it resumes, on its own thread: the runtime holds a
    /// lock while it cancels a task, and no observer may run under that. For a coroutine on a scheduler, the future is
    /// cancelled inside the call that cancels the coroutine, such as `CoroutineHandle.cancel()`, and its observers run
    /// there.
    case propagate
}

// MARK: - In async code

extension CoFuture {
    /// The value; async code waits until there is one.
    ///
    /// ## Cancellation
    /// Ends the wait at once, and leaves the future alone: ``WaitPolicy/abandon``.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// A property does not know its caller: in the list of pending waits, the place of this wait is `value:0`. Use
    /// ``value(cancellation:fileID:line:)`` to see the caller's place.
    ///
    /// - Throws: The future's error; `CancellationError` if the future or the task was cancelled. An existing result
    ///   is returned in a cancelled task too.
    /// - Complexity: O(1).
    @inlinable public final var value: Value {
        get async throws {
            if let result = self.result { return try result.get() }
            return try await self.settledValue(.abandon, at: CallSite(fileID: "value", line: 0))
        }
    }

    // Disfavored: `.value` alone is the property. Where the value is `Void`, the compiler otherwise takes it for this
    // function in `try? await CoFuture { … }.value`: nothing is called, and nobody waits.

    /// Waits, in async code, until there is a result.
    ///
    /// ## Cancellation
    /// Depends on the policy.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Parameters:
    ///   - policy: What cancelling the task does.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Returns: The value.
    /// - Throws: The future's error; `CancellationError` if the future or the task was cancelled.
    /// - Complexity: O(1).
    @inlinable
    @_disfavoredOverload
    public final nonisolated(nonsending) func value(
        cancellation policy: WaitPolicy,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        if let result = self.result { return try result.get() }
        return try await self.settledValue(policy, at: CallSite(fileID: fileID, line: line))
    }

    // Apart from the functions above: in code that knows the type, a future that has its result costs no wait.
    @usableFromInline
    final nonisolated(nonsending) func settledValue(_ policy: WaitPolicy, at site: CallSite) async throws -> Value {
        await self.settlement(policy, "CoFuture", at: site)
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
    package final nonisolated(nonsending) func settlement(
        _ policy: WaitPolicy,
        _ wait: StaticString,
        at site: CallSite
    ) async {
        guard let waiters = self.waiters() else { return }
        let taskWaiter = TaskWaiter<Void>()
        defer { taskWaiter.free() }
        switch waiters.enlist(taskWaiter.waiter) {
        case .over, .cancelled: return
        case .enlisted: break
        }
        await taskWaiter.parker.suspend(wait, made: site, endsWhenCancelled: policy != .ignore)
        if taskWaiter.waiter.outcome == .done { return }
        waiters.withdraw(taskWaiter.waiter)
        if policy == .propagate { self.cancel() }
    }
}
