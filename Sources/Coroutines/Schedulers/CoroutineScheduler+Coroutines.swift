// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension CoroutineScheduler {
    /// Starts a coroutine here, which resumes here after each wait.
    ///
    /// ```swift
    /// DispatchQueue.global().startCoroutine {
    ///     let quote = try Coroutine.await { try await client.quote(id: id) }
    ///     try DispatchQueue.main.await { print(quote) }
    /// }
    /// ```
    ///
    /// ## Cancellation
    /// Through the scope, or the handle's `cancel()`. If it is cancelled before the first step, the code never runs.
    /// Later, the pending or the next wait throws `CancellationError`, and the operation that the coroutine waits for
    /// is cancelled. When the scheduler drops a coroutine, the pending wait and each later one throw
    /// `CancellationError`, on the thread that dropped it; see `CoroutineScheduler.scheduleTask(_:)`.
    ///
    /// ## Isolation
    /// The code does not run in a task, so `Task.isCancelled` does not apply: use ``Coroutine/isCancelled``. An
    /// operation that it waits for runs in its own task, in Swift's pool, with the priority that was current when the
    /// coroutine was started. Task-locals are not inherited from where it was started. Do not keep one bound across a
    /// wait: without a task, Swift binds it to the thread. Debug builds check this, and end the process with advice.
    ///
    /// - Parameters:
    ///   - scope: Cancels the coroutine when the scope is cancelled or released.
    ///   - stackSize: How much address space the code's stack reserves; 256 KiB by default.
    ///   - name: The name of the coroutine in `BridgeDiagnostics.coroutines`.
    ///   - onError: Gets the code's error, or ``CoroutineError/outOfMemory(errno:)``, where the coroutine ended;
    ///     without it the error goes to `BridgeDiagnostics.uncaughtErrorHandler`. The `CancellationError` of a
    ///     cancelled coroutine, or in a cancelled scope, is not an error.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The code.
    /// - Returns: A handle; dropping it changes nothing.
    /// - Complexity: O(1), and the cost of `scheduleTask`. The first step takes the stack.
    @preconcurrency
    @discardableResult
    public func startCoroutine(
        in scope: CoScope? = nil,
        stackSize: StackSize = .standard,
        name: StaticString? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        task: @escaping @Sendable () throws -> Void
    ) -> CoroutineHandle {
        let started = CallSite(fileID: fileID, line: line)
        let coroutine = ScheduledCoroutine(
            on: self,
            stackSize: stackSize,
            name: name,
            started: started,
            onError: scope?.errorHandler(onError, started: started) ?? onError,
            task
        )
        let handle = CoroutineHandle(coroutine)
        // First, so that a cancelled scope keeps the code from running.
        scope?.add(handle)
        coroutine.schedule()
        return handle
    }

    /// Runs a closure here while the coroutine waits, then returns to the coroutine.
    ///
    /// ```swift
    /// DispatchQueue.main.startCoroutine {
    ///     let thumbnail = try DispatchQueue.global().await { image.thumbnail() }
    ///     show(thumbnail)
    /// }
    /// ```
    ///
    /// The closure runs in its own coroutine, and may wait as well:
    ///
    /// ```swift
    /// DispatchQueue.main.startCoroutine {
    ///     let thumbnail = try DispatchQueue.global().await { try image.await().thumbnail() }
    ///     show(thumbnail)
    /// }
    /// ```
    ///
    /// ## Cancellation
    /// If the closure has not begun, the wait ends at once, and the closure never runs. Otherwise the closure's pending
    /// or next wait throws `CancellationError`, and the coroutine waits for the closure to end.
    ///
    /// ## Isolation
    /// The closure runs on this scheduler, and resumes there after each wait. The coroutine continues where it was.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The closure.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `CancellationError`; `BridgeFault` if the scheduler dropped the closure before it
    ///   began or while it waited; ``CoroutineError/outsideCoroutine``; ``CoroutineError/outOfMemory(errno:)``. If the
    ///   closure succeeds although the coroutine was cancelled meanwhile, that is not an error: its result is returned.
    /// - Complexity: O(1), a stack from the pool, and the cost of `scheduleTask`.
    @available(*, noasync, message: "Use a task executor or an actor in async code")
    @preconcurrency
    @inlinable
    public func await<Value>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ task: @Sendable () throws -> sending Value
    ) throws -> sending Value {
        // Safe: the closure alone writes it, and has ended, or never runs, when the wait is over. Here, and not in the
        // answer: the types that carry a value through a wait would be looked up by name for each call.
        nonisolated(unsafe) var result: Disconnected<Value>?
        do {
            try self.awaitEnd(of: { unsafe result = Disconnected(unchecked: try task()) }, fileID, line)
        } catch {
            // The coroutine is unwound, and does not want it any more.
            if let result = unsafe result {
                let site = CallSite(fileID: fileID, line: line)
                UndeliveredResult.report(result, of: "CoroutineScheduler.await", at: site)
            }
            throw error
        }
        guard let result = unsafe result else { preconditionFailure("BUG: a closure has ended without a result") }
        return result.take()
    }

    /// Runs a closure here while the coroutine waits.
    ///
    /// - Parameters:
    ///   - task: The closure.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: The closure's error, or that of the wait. When this returns or throws, the closure has ended, or it
    ///   never runs.
    @usableFromInline
    func awaitEnd(of task: @Sendable () throws -> Void, _ fileID: StaticString, _ line: UInt) throws {
        let site = CallSite(fileID: fileID, line: line)
        _ = try RunningCoroutine.toSuspend(for: .closure, at: site)
        try withoutActuallyEscaping(task) { task in
            typealias Exchange = CallbackExchange<Void, any Error>
            let (answered, answerers, (call, running)) = Exchange.begin(fileID, line, nil) { callback in
                let call = ScheduledCall(task, answering: callback)
                return (call, call.start(on: self, at: site))
            }
            if let answered { return try answered.take().get() }
            let coroutine: RunningCoroutine
            // Not the coroutine from above: the scheduler may have left it, which is not allowed.
            do { coroutine = try RunningCoroutine.toWait(for: .closure, at: site) } catch {
                running.cancel()
                guard call.revoke() else {
                    // The closure does not outlive this call, and nothing else can keep the call from ending.
                    fatalError(
                        "'scheduleTask' of \(self) has left the coroutine that called 'await' at \(site), which "
                            + "cannot wait any more, while the closure runs. A scheduler must not wait, nor yield."
                    )
                }
                Exchange.cancel(answerers, bridge: "CoroutineScheduler.await")
                throw error
            }
            coroutine.note(.closure, at: site)
            // Without a task to wait in, the coroutine parks; no task is made.
            if coroutine.isScheduled {
                let answer = coroutine.awaitAnswer(answerers, "CoroutineScheduler.await") {
                    call.cancel()
                    running.cancel()
                }
                let outcome = Exchange.outcome(answer, answerers)
                if coroutine.isUnwinding { throw CancellationError() }
                return try outcome.untyped()
            }
            try coroutine.perform(undelivered: { _ in }) {
                // Cooperative: a closure that has begun has ended when this function returns.
                try await Exchange.finish(
                    answerers,
                    .cooperative,
                    nil,
                    bridge: "CoroutineScheduler.await",
                    cancel: {
                        call.cancel()
                        running.cancel()
                    }
                ).untyped()
            }
        }
    }
}
