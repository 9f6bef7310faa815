// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A handle of a started coroutine.
///
/// ```swift
/// let coroutine = DispatchQueue.global().startCoroutine { try refresh() }
/// coroutine.cancel()
/// await coroutine.finished()
/// ```
///
/// Isolation: may be used on any thread. Dropping it changes nothing.
public struct CoroutineHandle: Sendable {
    private enum Kind {
        case scheduled(ScheduledCoroutine)
        case inTask(TaskCoroutine)
    }

    private let kind: Kind

    init(_ coroutine: ScheduledCoroutine) { self.kind = .scheduled(coroutine) }

    init(_ coroutine: TaskCoroutine) { self.kind = .inTask(coroutine) }

    /// Cancels the coroutine.
    ///
    /// If it has not begun, its code never runs. Otherwise its pending or next wait throws `CancellationError`. If it
    /// has ended, nothing happens.
    ///
    /// If little of the stack is left, because a long chain of coroutines that wait for each other is cancelled, the
    /// rest of the chain is cancelled on the calling coroutine's scheduler, or on Dispatch's global queue.
    ///
    /// - Complexity: O(1), plus the cancel actions of the operation that it waits for, which run in this call.
    public func cancel() {
        switch self.kind {
        case .scheduled(let coroutine): coroutine.cancel()
        case .inTask(let coroutine): coroutine.cancel()
        }
    }

    /// Whether it was cancelled.
    ///
    /// - Complexity: O(1).
    public var isCancelled: Bool {
        switch self.kind {
        case .scheduled(let coroutine): coroutine.isCancelled
        case .inTask(let coroutine): coroutine.isCancelled
        }
    }

    /// Calls a closure when the coroutine has ended, for any reason; immediately, if it already has.
    ///
    /// ## Isolation
    /// The closure runs where the coroutine ended, outside it, after its error was reported; or in this call.
    ///
    /// - Parameter callback: Called once.
    /// - Complexity: O(1) amortised.
    public func whenComplete(_ callback: @escaping @Sendable () -> Void) {
        switch self.kind {
        case .scheduled(let coroutine): coroutine.whenComplete(callback)
        case .inTask(let coroutine): coroutine.whenComplete(callback)
        }
    }

    /// Returns when the coroutine has ended, for any reason, and its error was reported.
    ///
    /// ```swift
    /// coroutine.cancel()
    /// await coroutine.finished()
    /// ```
    ///
    /// ## Cancellation
    /// Keeps waiting: cancelling the task does not cancel the coroutine.
    ///
    /// ## Isolation
    /// Returns on the caller's actor. A coroutine waits with `Coroutine.await { await other.finished() }`, and must not
    /// wait for its own end.
    ///
    /// - Complexity: O(1) amortised.
    public nonisolated(nonsending) func finished() async {
        await withCheckedContinuation { continuation in self.whenComplete { continuation.resume() } }
    }

    /// Adds the coroutine to a scope, which cancels it when the scope is cancelled or released.
    ///
    /// - Parameter scope: The scope.
    /// - Returns: This handle.
    /// - Complexity: O(1) amortised.
    @discardableResult
    public func added(to scope: CoScope) -> CoroutineHandle {
        scope.add(self)
        return self
    }
}
