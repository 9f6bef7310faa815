// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CCoroutines

extension Coroutine {
    /// Waits for an async operation, in synchronous code, without blocking the thread.
    ///
    /// ```swift
    /// let sorted = try await withCoroutine {
    ///     try files.sorted { first, second in
    ///         try Coroutine.await { try await first.size() < second.size() }
    ///     }
    /// }
    /// ```
    ///
    /// ## Cancellation
    /// In a cancelled coroutine the operation does not start. It runs in the coroutine's task, so cancelling that task
    /// cancels the operation.
    ///
    /// ## Isolation
    /// In a coroutine of ``withCoroutine(stackSize:name:fileID:line:_:)`` the operation runs in the same task and on
    /// the same actor as the surrounding code; on a `CoroutineScheduler`, in its own task. Afterwards the code may be
    /// on another thread.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - operation: The operation.
    /// - Returns: The operation's result.
    /// - Throws: The operation's error; `CancellationError`; ``CoroutineError/outsideCoroutine``, rather than block the
    ///   thread. An operation that succeeds although it was cancelled is not an error: its result is returned. If the
    ///   scheduler has dropped the coroutine meanwhile, that is reported to `BridgeDiagnostics`, and this throws.
    /// - Complexity: O(1): two switches of stacks.
    @available(*, noasync, message: "Write `try await` in async code")
    @inlinable
    public static func `await`<Value>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ operation: nonisolated(nonsending) () async throws -> sending Value
    ) throws -> sending Value {
        let site = CallSite(fileID: fileID, line: line)
        let coroutine = try RunningCoroutine.toSuspend(for: .operation, at: site)
        coroutine.note(.operation, at: site)
        return try coroutine.perform(
            undelivered: { UndeliveredResult.report($0, of: "Coroutine.await", at: site) },
            operation
        )
    }

    /// Waits for an async operation whose result must not be lost: one that owns a resource.
    ///
    /// ```swift
    /// let file = try Coroutine.await(onUndelivered: { $0.close() }) { try await store.open(name) }
    /// ```
    ///
    /// Also for an operation that acquires something and returns nothing, such as `CoSemaphore.acquire()`:
    /// `onUndelivered: { semaphore.release() }`.
    ///
    /// Cancellation and isolation are those of ``await(fileID:line:_:)-(_,_,()->Value)``.
    ///
    /// - Parameters:
    ///   - onUndelivered: Gets the result if the scheduler has dropped the coroutine meanwhile. Runs where the
    ///     coroutine is unwound, and cannot wait.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - operation: The operation.
    /// - Returns: The operation's result.
    /// - Throws: The operation's error; `CancellationError`; ``CoroutineError/outsideCoroutine``. An operation that
    ///   succeeds although it was cancelled is not an error: its result is returned.
    /// - Complexity: O(1): two switches of stacks.
    @available(*, noasync, message: "Write `try await` in async code")
    @inlinable
    public static func `await`<Value>(
        onUndelivered: (sending Value) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ operation: nonisolated(nonsending) () async throws -> sending Value
    ) throws -> sending Value {
        let site = CallSite(fileID: fileID, line: line)
        let coroutine = try RunningCoroutine.toSuspend(for: .operation, at: site)
        coroutine.note(.operation, at: site)
        return try coroutine.perform(undelivered: { onUndelivered($0.take()) }, operation)
    }

    /// Lets other tasks run before this coroutine continues.
    ///
    /// For long computations: a coroutine that never waits keeps its thread, as a task does.
    ///
    /// ## Cancellation
    /// A cancelled coroutine does not yield, but throws.
    ///
    /// ## Isolation
    /// The same task and actor afterwards, or the same scheduler; perhaps another thread.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Throws: `CancellationError`; ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(1): two switches of stacks, and the cost of the scheduler or Swift's pool.
    @available(*, noasync, message: "Write `await Task.yield()` in async code")
    public static func yield(fileID: StaticString = #fileID, line: UInt = #line) throws {
        let site = CallSite(fileID: fileID, line: line)
        let coroutine = try RunningCoroutine.toSuspend(for: .turn, at: site)
        coroutine.note(.turn, at: site)
        try coroutine.suspend(.yield)
    }
}

// MARK: - Callbacks

extension Coroutine {
    /// Waits for an API that calls back.
    ///
    /// ```swift
    /// let contacts: [Contact] = try Coroutine.await { callback in
    ///     api.fetchContacts(completion: callback.handler())
    /// }
    /// ```
    ///
    /// Write `callback.handler { … }` rather than a closure that calls the callback: in a `@MainActor` class that
    /// closure is isolated to the main actor, and ends the process when a library from before Swift 6 calls it on
    /// another thread.
    ///
    /// If the API calls back before `start` has returned, the coroutine does not suspend.
    ///
    /// ## Cancellation
    /// Ends the wait at once; actions of `callback.onCancel` run. They also run if `start` itself waits, or yields from
    /// a generator, and the code is then unwound, so that it can no longer wait.
    ///
    /// ## Isolation
    /// `start` runs synchronously, in the coroutine. The callback may be called on any thread; the coroutine continues
    /// where it was: on its actor, or its scheduler.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - timeout: When to give up, as a duration from now; without it the coroutine waits forever.
    ///   - onUndelivered: Gets a value that arrived too late, so that its resources can be released. Runs where the
    ///     callback is called, or where the coroutine is unwound.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback. If it throws, the work counts as not started, and no action of
    ///     `callback.onCancel` runs.
    /// - Returns: The value.
    /// - Throws: The API's error; `CancellationError`; `BridgeFault` if the callback was dropped or the wait timed out;
    ///   ``CoroutineError/outsideCoroutine``. A second call of the callback is not an error: it is refused and
    ///   reported.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    @inlinable
    public static func `await`<Value>(
        of type: Value.Type = Value.self,
        timeout: BridgeTimeout? = nil,
        onUndelivered: (@Sendable (sending Value) -> Void)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (Callback<Value, any Error>) throws -> Void
    ) throws -> sending Value {
        let site = CallSite(fileID: fileID, line: line)
        _ = try RunningCoroutine.toSuspend(for: .callback, at: site)
        typealias Exchange = CallbackExchange<Value, any Error>
        let (answered, answerers, _) = try Exchange.begin(fileID, line, onUndelivered, start)
        if let answered {
            // Why not `get()`: see `Result.untyped()`.
            switch answered.take() {
            case .success(let value): return value
            case .failure(let error): throw error
            }
        }
        let coroutine: RunningCoroutine
        // Not the coroutine from above: `start` may have left it.
        do { coroutine = try RunningCoroutine.toWait(for: .callback, at: site) } catch {
            Exchange.cancel(answerers, bridge: "Coroutine.await")
            throw error
        }
        coroutine.note(.callback, at: site)
        let outcome: Exchange.Outcome
        // Without a task to wait in, the coroutine parks; no task is made.
        if coroutine.isScheduled {
            let answer = coroutine.awaitAnswer(answerers, "Coroutine.await", timeout)
            outcome = Exchange.outcome(answer, answerers)
        } else {
            // Not returned by the operation: its result is lost if the coroutine is unwound.
            var finished: Exchange.Outcome?
            do {
                try coroutine.perform {
                    finished = await Exchange.finish(
                        answerers,
                        .prompt,
                        timeout,
                        bridge: "Coroutine.await",
                        cancel: {}
                    )
                }
            } catch {
                guard finished != nil else { throw error }
            }
            guard let finished else { preconditionFailure("BUG: a wait ended without an outcome") }
            outcome = finished
        }
        guard coroutine.isUnwinding else { return try outcome.untyped() }
        if let value = try? outcome.untyped() {
            if let onUndelivered {
                onUndelivered(value)
            } else {
                UndeliveredResult.report(Disconnected(unchecked: value), of: "Coroutine.await", at: site)
            }
        }
        throw CancellationError()
    }

    /// Waits for an API that calls back without a value.
    ///
    /// ```swift
    /// try Coroutine.await { done in player.fadeOut(completion: done) }
    /// ```
    ///
    /// Cancellation and isolation are those of ``await(of:timeout:onUndelivered:fileID:line:_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback.
    /// - Throws: `CancellationError`; `BridgeFault` if the callback was dropped; ``CoroutineError/outsideCoroutine``. A
    ///   second call of the callback is not an error.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    public static func `await`(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (@escaping @Sendable () -> Void) -> Void
    ) throws {
        try self.await(of: Void.self, fileID: fileID, line: line) { callback in
            start { callback.resume(returning: ()) }
        }
    }

    /// Waits for an API that calls back with a value.
    ///
    /// Cancellation and isolation are those of ``await(of:timeout:onUndelivered:fileID:line:_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback.
    /// - Returns: The value.
    /// - Throws: `CancellationError`; `BridgeFault` if the callback was dropped; ``CoroutineError/outsideCoroutine``. A
    ///   second call of the callback is not an error.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    @preconcurrency
    public static func `await`<Value: Sendable>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (@escaping @Sendable (Value) -> Void) -> Void
    ) throws -> Value {
        try self.await(of: Value.self, fileID: fileID, line: line) { callback in
            start { callback.resume(returning: $0) }
        }
    }

    /// Waits for an API that calls back with two values.
    ///
    /// ```swift
    /// let (data, response) = try Coroutine.await { api.load(path, completion: $0) }
    /// ```
    ///
    /// Cancellation and isolation are those of ``await(of:timeout:onUndelivered:fileID:line:_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback.
    /// - Returns: The values.
    /// - Throws: `CancellationError`; `BridgeFault` if the callback was dropped; ``CoroutineError/outsideCoroutine``. A
    ///   second call of the callback is not an error.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    @preconcurrency
    public static func `await`<First: Sendable, Second: Sendable>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (@escaping @Sendable (First, Second) -> Void) -> Void
    ) throws -> (First, Second) {
        try self.await(of: (First, Second).self, fileID: fileID, line: line) { callback in
            start { callback.resume(returning: ($0, $1)) }
        }
    }

    /// Waits for an API that calls back with three values.
    ///
    /// Cancellation and isolation are those of ``await(of:timeout:onUndelivered:fileID:line:_:)``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - start: Starts the work with the callback.
    /// - Returns: The values.
    /// - Throws: `CancellationError`; `BridgeFault` if the callback was dropped; ``CoroutineError/outsideCoroutine``. A
    ///   second call of the callback is not an error.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use withCallback in async code")
    @preconcurrency
    public static func `await`<First: Sendable, Second: Sendable, Third: Sendable>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ start: (@escaping @Sendable (First, Second, Third) -> Void) -> Void
    ) throws -> (First, Second, Third) {
        try self.await(of: (First, Second, Third).self, fileID: fileID, line: line) { callback in
            start { callback.resume(returning: ($0, $1, $2)) }
        }
    }
}
