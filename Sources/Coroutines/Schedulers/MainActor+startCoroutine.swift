// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension MainActor {
    /// Starts a coroutine on the main actor, which resumes there after each wait.
    ///
    /// ```swift
    /// MainActor.startCoroutine(onError: { label.text = "\($0)" }) {
    ///     label.text = try Coroutine.await { try await client.quote(id: id) }
    /// }
    /// ```
    ///
    /// Its code may use main-actor state, which the compiler checks; the code of a coroutine on `DispatchQueue.main`
    /// may not.
    ///
    /// ## Cancellation
    /// Through the scope, or the handle's `cancel()`. If it is cancelled before the first step, the code never runs.
    /// Later, the pending or the next wait throws `CancellationError`.
    ///
    /// ## Isolation
    /// The coroutine has its own task, on the main actor, with the priority and the task-locals of the starting code.
    /// It begins after this call, never in it.
    ///
    /// - Parameters:
    ///   - scope: Cancels the coroutine when the scope is cancelled or released.
    ///   - stackSize: How much address space the code's stack reserves; 256 KiB by default.
    ///   - name: The name of the coroutine in `BridgeDiagnostics.coroutines`.
    ///   - onError: Gets the code's error, or ``CoroutineError/outOfMemory(errno:)``; without it the error goes to
    ///     `BridgeDiagnostics.uncaughtErrorHandler`. The `CancellationError` of a cancelled coroutine, or in a
    ///     cancelled scope, is not an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The code.
    /// - Returns: A handle; dropping it changes nothing.
    /// - Complexity: O(1); starts one task.
    @discardableResult
    public static func startCoroutine(
        in scope: CoScope? = nil,
        stackSize: StackSize = .standard,
        name: StaticString? = nil,
        onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        task: @escaping @MainActor @Sendable () throws -> Void
    ) -> CoroutineHandle {
        let coroutine = TaskCoroutine()
        let handle = CoroutineHandle(coroutine)
        // First, so that it cannot begin uncancelled in a cancelled scope.
        scope?.add(handle)
        let hasScope = scope != nil
        let running = Task { @MainActor [weak scope] in
            coroutine.begin()
            do {
                try Task.checkCancellation()
                try await withCoroutine(stackSize: stackSize, name: name, fileID: fileID, line: line) { try task() }
            } catch let error as CancellationError
                where Task.isCancelled || hasScope && scope?.isCancelled ?? true
            {
                // The code that cancelled it knows.
                _ = error
            } catch {
                if let onError {
                    onError(error)
                } else {
                    UncaughtErrors.report(error, started: CallSite(fileID: fileID, line: line))
                }
            }
            coroutine.finish()
        }
        coroutine.start(running)
        return handle
    }
}
