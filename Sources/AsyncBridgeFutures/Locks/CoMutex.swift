// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// A value that one coroutine or task at a time may use; the others wait, suspended, first come, first served.
///
/// Unlike an actor it is not re-entrant: the owner of the lock may wait, and no other code sees the value meanwhile.
/// Coroutines and tasks may use the same mutex, and none of them blocks a thread.
///
/// ```swift
/// let account = CoMutex(100)
///
/// try await account.withLock { balance in
///     guard try await bank.allows(30) else { return }
///     balance -= 30
/// }
/// ```
///
/// An owner that locks it again waits forever. If no owner needs to wait while it holds the lock,
/// `Synchronization.Mutex` is faster.
///
/// ## Cancellation
/// Ends the wait for the value. The owner is not interrupted.
///
/// ## Isolation
/// May be used on any thread.
@safe
// Safe: only the owner of the permit uses the value.
public final class CoMutex<Value>: @unchecked Sendable {
    package let permit: SemaphoreStorage
    package let value: UnsafeMutablePointer<Value>

    /// Makes a mutex.
    ///
    /// - Parameters:
    ///   - value: The value, which the mutex owns from now on.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Complexity: O(1).
    public init(_ value: consuming sending Value, fileID: StaticString = #fileID, line: UInt = #line) {
        self.permit = SemaphoreStorage(permits: 1, made: CallSite(fileID: fileID, line: line), name: "CoMutex")
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        unsafe self.value.deinitialize(count: 1)
        unsafe self.value.deallocate()
    }

    /// Waits, in async code, for the value, and uses it.
    ///
    /// ## Cancellation
    /// Ends the wait at once; the body handles cancellation itself.
    ///
    /// ## Isolation
    /// The caller's actor, the body included.
    ///
    /// - Parameter body: Uses the value, and may wait meanwhile.
    /// - Returns: The body's result.
    /// - Throws: The body's error; `CancellationError`.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func withLock<Result>(
        _ body: nonisolated(nonsending) (inout sending Value) async throws -> sending Result
    ) async throws -> sending Result {
        try await self.permit.acquire()
        defer { self.permit.release() }
        return try unsafe await body(&self.value.pointee)
    }

    /// Waits, in async code, for the value, but not for longer than a timeout, and uses it.
    ///
    /// ## Cancellation
    /// Ends the wait at once; the body handles cancellation itself. A free mutex is locked in a cancelled task too, and
    /// with a timeout of zero.
    ///
    /// ## Isolation
    /// The caller's actor, the body included. That the wait has timed out is decided in time even if all threads of
    /// Swift's pool are busy, with a `ContinuousClock` or `SuspendingClock`.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait for the value, in the clock's own type of duration. The body has all the time it
    ///     needs.
    ///   - clock: The clock that measures it.
    ///   - body: Uses the value, and may wait meanwhile.
    /// - Returns: The body's result.
    /// - Throws: The body's error; `BridgeFault` with the code `timedOut`, which says where the mutex was made, and
    ///   then the body has not begun; `CancellationError`.
    /// - Complexity: O(log *n*) in the number of waits with a timeout; see ``SelectBranch/after(_:clock:then:)``.
    public nonisolated(nonsending) func withLock<C: Clock, Result>(
        timeout: C.Duration,
        clock: C = .continuous,
        _ body: nonisolated(nonsending) (inout sending Value) async throws -> sending Result
    ) async throws -> sending Result {
        try await self.permit.acquire(timeout: timeout, clock: clock)
        defer { self.permit.release() }
        return try unsafe await body(&self.value.pointee)
    }

    /// Uses the value if no other code holds it.
    ///
    /// - Parameter body: Uses the value.
    /// - Returns: The body's result; `nil` if other code holds the value.
    /// - Throws: The body's error.
    /// - Complexity: O(1).
    public func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard self.permit.tryAcquire() else { return nil }
        defer { self.permit.release() }
        return try unsafe body(&self.value.pointee)
    }
}
