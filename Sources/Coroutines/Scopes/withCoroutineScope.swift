// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Runs async code that starts coroutines and tasks, and waits for all of them.
///
/// ```swift
/// let (quote, author) = try await withCoroutineScope { scope in
///     let quote = scope.future(on: DispatchQueue.global()) { try loadQuote() }
///     let author = scope.future { try await client.author() }
///     return (try await quote.value, try await author.value)
/// }
/// ```
///
/// In every case, nothing that was started in the scope still runs when this returns.
///
/// ## Cancellation
/// Cancelling the task cancels the children. So does an error of the body, and, with
/// ``CoroutineScope/Policy/failFast``, an error of a child. The body itself is not interrupted by a child's error, but
/// the children that it waits for are cancelled.
///
/// If the task is cancelled while a child runs, or before one starts, this throws `CancellationError` when all have
/// ended, even if the body has returned a result: a cancelled child may have no other way to report it, and the result
/// may depend on its work. kotlinx.coroutines' `coroutineScope` does the same. If no child was running, nothing is
/// incomplete, and the body's result is returned, like that of a callback that has answered.
/// ``CoroutineScope/cancel()`` does not change what the scope returns.
///
/// ## Isolation
/// The body runs on the caller's actor; children, where they are started.
///
/// - Parameters:
///   - policy: What the error of one child does to the others.
///   - fileID: The caller's file.
///   - line: The caller's line.
///   - body: Starts the children.
/// - Returns: The body's result.
/// - Throws: The first error: that of the body, or, with ``CoroutineScope/Policy/failFast``, of a child; without one,
///   `CancellationError` if the task was cancelled while a child ran. It is thrown when all children have ended.
/// - Complexity: O(*n*) in the number of children.
public nonisolated(nonsending) func withCoroutineScope<Result>(
    _ policy: CoroutineScope.Policy = .failFast,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: nonisolated(nonsending) (CoroutineScope) async throws -> sending Result
) async throws -> sending Result {
    let scope = CoroutineScope(policy, made: CallSite(fileID: fileID, line: line))
    var result: Disconnected<Result>?
    await watchCancellation(isolation: #isolation, of: scope) {
        do {
            result = Disconnected(unchecked: try await body(scope))
            scope.bodyEnded(nil)
        } catch {
            scope.bodyEnded(error)
        }
        await scope.join()
    }
    if let error = scope.error { throw error }
    guard let result else { preconditionFailure("BUG: a scope ended with neither a result nor an error") }
    return result.take()
}

/// Runs the scope, and cancels its children when the task is cancelled.
///
/// Why the actor is a parameter: only that shows the compiler that the body stays on it.
private func watchCancellation(
    isolation: isolated (any Actor)?,
    of scope: CoroutineScope,
    _ body: nonisolated(nonsending) () async -> Void
) async {
    await withTaskCancellationHandler {
        // Do not remove: what captures the actor runs on it.
        _ = isolation
        await body()
    } onCancel: {
        // At once: the children may all have ended before the others are cancelled.
        scope.noteCancellation()
        // Not here, under the lock of the task's status: the children's cancel actions are user code.
        Task.detached { scope.cancelFromOutside() }
    }
}

extension Coroutine {
    /// Runs code that starts coroutines and tasks, in a coroutine, and waits for all of them.
    ///
    /// Nothing that was started in the scope still runs when this returns, with one exception: code that is unwound
    /// cannot wait, because its scheduler has dropped it, or because it is in a generator whose iterator was dropped.
    /// Then the children are cancelled, and may keep running for a while. The same holds if the body yields from a
    /// generator that continues outside every coroutine.
    ///
    /// ## Cancellation
    /// When the coroutine is cancelled, the body's own waits end at once; the children are cancelled as soon as the
    /// body has ended. If a child is still running, this throws `CancellationError` when all have ended, even if the
    /// body has returned a result; see ``withCoroutineScope(_:fileID:line:_:)``.
    ///
    /// ## Isolation
    /// The body runs in the coroutine; children, where they are started.
    ///
    /// - Parameters:
    ///   - policy: What the error of one child does to the others.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - body: Starts the children.
    /// - Returns: The body's result.
    /// - Throws: The first error: that of the body, or, with ``CoroutineScope/Policy/failFast``, of a child; without
    ///   one, `CancellationError` if the coroutine was cancelled while a child ran;
    ///   ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(*n*) in the number of children.
    @available(*, noasync, message: "Use `try await withCoroutineScope { … }` in async code")
    public static func withScope<Result>(
        _ policy: CoroutineScope.Policy = .failFast,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ body: (CoroutineScope) throws -> sending Result
    ) throws -> sending Result {
        let site = CallSite(fileID: fileID, line: line)
        _ = try RunningCoroutine.toSuspend(for: .scope, at: site)
        let scope = CoroutineScope(policy, made: site)
        var result: Disconnected<Result>?
        do {
            result = Disconnected(unchecked: try body(scope))
            scope.bodyEnded(nil)
        } catch {
            scope.bodyEnded(error)
        }
        let coroutine: RunningCoroutine
        // Not the coroutine from above: the body may have left it. Nothing can wait while unwound, or in no coroutine.
        do { coroutine = try RunningCoroutine.toWait(for: .scope, at: site) } catch {
            scope.cancel()
            throw error
        }
        try coroutine.perform {
            do { try await scope.joinOrCancel() } catch { await scope.join() }
        }
        if let error = scope.error { throw error }
        guard let result else { preconditionFailure("BUG: a scope ended with neither a result nor an error") }
        return result.take()
    }
}
