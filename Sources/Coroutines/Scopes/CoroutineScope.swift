// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// Starts children in ``withCoroutineScope(_:fileID:line:_:)``: coroutines and tasks that end before the scope does.
///
/// Structured: the code waits for the children. To cancel work when its owner is released, without waiting for it, use
/// `CoScope`.
///
/// Isolation: may be used on any thread, within the scope, children included. A child that is started when the scope
/// has ended, or was cancelled, does not begin: its future fails with `CancellationError`.
public final class CoroutineScope: Sendable {
    /// What the error of one child does to the others.
    @nonexhaustive
    public enum Policy: Sendable, Hashable {
        /// The first error cancels all other children, and becomes the scope's error.
        case failFast
        /// The others continue. The error is in the child's future; without a future it goes to
        /// `BridgeDiagnostics.uncaughtErrorHandler`.
        case supervise
    }

    private let state: Mutex<CoroutineScopeState>
    private let policy: Policy
    private let made: CallSite
    /// Cancels the children.
    private let children = CoScope()
    /// Settled when all children have ended.
    private let end = CoFuture<Void>()

    init(_ policy: Policy, made: CallSite) {
        self.policy = policy
        self.made = made
        self.state = Mutex(CoroutineScopeState())
    }

    // MARK: Children

    /// Starts a coroutine as a child.
    ///
    /// ## Cancellation
    /// When the scope is cancelled, or, with ``Policy/failFast``, when another child fails.
    ///
    /// ## Isolation
    /// That of `scheduler.startCoroutine`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which it runs.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The code.
    /// - Complexity: O(1) amortised.
    public func start(
        on scheduler: some CoroutineScheduler,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ task: @escaping @Sendable () throws -> Void
    ) {
        self.startChild(on: scheduler, fileID, line, onError: nil, task)
    }

    /// Starts a coroutine as a child, and makes a future of its result.
    ///
    /// ## Cancellation
    /// When the scope is cancelled, or the future, or, with ``Policy/failFast``, when another child fails.
    ///
    /// ## Isolation
    /// That of `scheduler.startCoroutine`.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler on which it runs.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - task: The code.
    /// - Returns: The future.
    /// - Complexity: O(1) amortised.
    public func future<Value: Sendable>(
        on scheduler: some CoroutineScheduler,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ task: @escaping @Sendable () throws -> Value
    ) -> CoFuture<Value> {
        let future = CoFuture<Value>()
        let child = self.startChild(
            on: scheduler,
            fileID,
            line,
            onError: { future.settle(failure: $0) },
            onEnd: { future.settle(failure: CancellationError()) },
            { future.settle(try task()) }
        )
        future.whenCancelled { child.cancel() }
        return future
    }

    // `onEnd` is called at the child's end, before the scope is told: a scope returns with all futures settled.
    @discardableResult
    private func startChild(
        on scheduler: some CoroutineScheduler,
        _ fileID: StaticString,
        _ line: UInt,
        onError: (@Sendable (any Error) -> Void)?,
        onEnd: (@Sendable () -> Void)? = nil,
        _ task: @escaping @Sendable () throws -> Void
    ) -> CoroutineHandle {
        let children = self.begin()
        let started = CallSite(fileID: fileID, line: line)
        let child = scheduler.startCoroutine(
            in: children,
            onError: { self.childFailed($0, started, onError) },
            fileID: fileID,
            line: line,
            task: task
        )
        child.whenComplete {
            onEnd?()
            self.childEnded()
        }
        return child
    }

    /// Starts a task as a child.
    ///
    /// ## Cancellation
    /// When the scope is cancelled, or, with ``Policy/failFast``, when another child fails.
    ///
    /// ## Isolation
    /// The task inherits priority and task-locals, and runs in Swift's pool.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - operation: The async code.
    /// - Complexity: O(1) amortised.
    public func start(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        operation: @escaping @Sendable () async throws -> Void
    ) {
        self.startChild(fileID, line, onError: nil, operation)
    }

    /// Starts a task as a child, and makes a future of its result.
    ///
    /// ## Cancellation
    /// When the scope is cancelled, or the future, or, with ``Policy/failFast``, when another child fails.
    ///
    /// ## Isolation
    /// The task inherits priority and task-locals, and runs in Swift's pool.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - operation: The async code.
    /// - Returns: The future.
    /// - Complexity: O(1) amortised.
    public func future<Value: Sendable>(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        operation: @escaping @Sendable () async throws -> Value
    ) -> CoFuture<Value> {
        let future = CoFuture<Value>()
        let child = self.startChild(fileID, line, onError: { future.settle(failure: $0) }) {
            future.settle(try await operation())
        }
        future.whenCancelled { child.cancel() }
        return future
    }

    @discardableResult
    private func startChild(
        _ fileID: StaticString,
        _ line: UInt,
        onError: (@Sendable (any Error) -> Void)?,
        _ operation: @escaping @Sendable () async throws -> Void
    ) -> TaskCoroutine {
        let started = CallSite(fileID: fileID, line: line)
        let child = TaskCoroutine()
        // First, so that it cannot begin uncancelled in a cancelled scope.
        self.begin().add(CoroutineHandle(child))
        guard !child.isCancelled else {
            onError?(CancellationError())
            child.finish()
            self.childEnded()
            return child
        }
        let task = Task {
            child.begin()
            do { try await operation() } catch {
                // A future with waiters gets its error even if that is its cancellation.
                if error is CancellationError, Task.isCancelled {
                    onError?(error)
                } else {
                    self.childFailed(error, started, onError)
                }
            }
            child.finish()
            self.childEnded()
        }
        child.start(task)
        return child
    }

    private func begin() -> CoScope {
        if !self.state.withLock({ $0.begin() }) { self.children.cancel() }
        return self.children
    }

    private func childFailed(_ error: any Error, _ started: CallSite, _ onError: (@Sendable (any Error) -> Void)?) {
        switch self.policy {
        case .failFast:
            // Before other children can fail because of it: the waiters of this child's future get the error next.
            let isFirst = self.state.withLock { $0.fail(error) }
            onError?(error)
            if isFirst { self.children.cancel() }
        case .supervise:
            if let onError { onError(error) } else { UncaughtErrors.report(error, started: started) }
        }
    }

    private func childEnded() { if self.state.withLock({ $0.childEnded() }) { self.end.settle(()) } }

    // MARK: The scope

    /// Cancels all children, and lets none begin that is started from now on.
    ///
    /// The body continues; it may check ``isCancelled``. The scope ends with the body's result: use this when the body
    /// needs nothing more from its children.
    ///
    /// - Complexity: O(*n* log *n*) in the number of children.
    public func cancel() { self.children.cancel() }

    /// Whether it was cancelled, or has failed.
    ///
    /// - Complexity: O(1).
    public var isCancelled: Bool { self.children.isCancelled }

    /// The task or coroutine around the scope was cancelled: cancels the children.
    func cancelFromOutside() {
        self.noteCancellation()
        self.children.cancel()
    }

    /// The task or coroutine around the scope was cancelled; its children will be.
    ///
    /// Calls no user code: may be called under the lock of the task's status.
    func noteCancellation() { self.state.withLock { $0.cancel() } }

    /// The body has ended: cancels the children if it has failed.
    func bodyEnded(_ error: (any Error)?) {
        if let error {
            _ = self.state.withLock { $0.fail(error) }
            self.children.cancel()
        }
        if self.state.withLock({ $0.bodyEnded() }) { self.end.settle(()) }
    }

    /// Waits until all children have ended, cancelled or not.
    nonisolated(nonsending) func join() async {
        await self.end.settlement(.ignore, "withCoroutineScope", at: self.made)
    }

    /// Waits until all children have ended; when the task is cancelled, cancels them, and does not wait.
    nonisolated(nonsending) func joinOrCancel() async throws {
        await withTaskCancellationHandler {
            await self.end.settlement(.abandon, "withCoroutineScope", at: self.made)
        } onCancel: {
            self.noteCancellation()
        }
        guard self.end.result == nil else { return }
        self.cancelFromOutside()
        throw CancellationError()
    }

    /// The error with which the scope ends, if it does.
    var error: (any Error)? { self.state.withLock { $0.error } }
}
