// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Lets a limited number of tasks and coroutines through; the others wait, suspended, first come, first served.
///
/// Coroutines and tasks may wait for the same semaphore, and none of them blocks a thread:
///
/// ```swift
/// let downloads = CoSemaphore(permits: 4)
///
/// let data = try await downloads.withPermit { try await download(url) }
/// ```
///
/// ## Cancellation
/// Ends a wait at once. A permit that was already handed over stays with the caller.
///
/// ## Isolation
/// May be used on any thread. Code may release a permit that other code has acquired.
public final class CoSemaphore: Sendable {
    package let storage: SemaphoreStorage

    /// Makes a semaphore.
    ///
    /// - Parameters:
    ///   - permits: The number of permits; 0 or more, and ``release()`` may add some.
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    /// - Complexity: O(1).
    public init(permits: Int, fileID: StaticString = #fileID, line: UInt = #line) {
        guard permits >= 0 else { fatalError("A semaphore cannot have \(permits) permits. Use 0 or more.") }
        self.storage = SemaphoreStorage(
            permits: permits,
            made: CallSite(fileID: fileID, line: line),
            name: "CoSemaphore"
        )
    }

    /// The number of free permits.
    ///
    /// - Complexity: O(1).
    public var availablePermits: Int { self.storage.permits }

    /// Waits, in async code, for a permit.
    ///
    /// A coroutine waits with `awaitAcquire()` or `awaitPermit(_:)`, which return the permit if its scheduler drops it.
    /// With `Coroutine.await`, pass `onUndelivered: { semaphore.release() }` for that case, because an operation
    /// without a value does not tell.
    ///
    /// ## Cancellation
    /// Ends the wait at once. A free permit is acquired in a cancelled task too.
    ///
    /// ## Isolation
    /// The caller's actor, before and after.
    ///
    /// - Throws: `CancellationError`.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func acquire() async throws { try await self.storage.acquire() }

    /// Waits, in async code, for a permit, but not for longer than a timeout.
    ///
    /// A coroutine waits with `awaitAcquire(timeout:clock:)` or `awaitPermit(timeout:clock:_:)`.
    ///
    /// ## Cancellation
    /// Ends the wait at once. A free permit is acquired in a cancelled task too, and with a timeout of zero. A permit
    /// that is handed over as the wait times out is either the caller's, or goes to the next waiter.
    ///
    /// ## Isolation
    /// The caller's actor, before and after. That the wait has timed out is decided in time even if all threads of
    /// Swift's pool are busy, with a `ContinuousClock` or `SuspendingClock`.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, in the clock's own type of duration. With zero or less the wait times out at once
    ///     if there is no free permit.
    ///   - clock: The clock that measures it.
    /// - Throws: `BridgeFault` with the code `timedOut`, which says where the semaphore was made; `CancellationError`.
    /// - Complexity: O(log *n*) in the number of waits with a timeout; see ``SelectBranch/after(_:clock:then:)``.
    public nonisolated(nonsending) func acquire<C: Clock>(
        timeout: C.Duration,
        clock: C = .continuous
    ) async throws {
        try await self.storage.acquire(timeout: timeout, clock: clock)
    }

    /// Takes a permit if there is one.
    ///
    /// - Returns: Whether there was one.
    /// - Complexity: O(1).
    public func tryAcquire() -> Bool { self.storage.tryAcquire() }

    /// Returns a permit, which goes to the longest waiter.
    ///
    /// - Complexity: O(1) amortised.
    public func release() { self.storage.release() }

    /// Runs async code with a permit.
    ///
    /// ## Cancellation
    /// Ends the wait for the permit; the code handles cancellation itself.
    ///
    /// ## Isolation
    /// The caller's actor.
    ///
    /// - Parameter body: The code.
    /// - Returns: The code's result.
    /// - Throws: The code's error; `CancellationError`.
    /// - Complexity: O(1).
    public nonisolated(nonsending) func withPermit<Result>(
        _ body: nonisolated(nonsending) () async throws -> sending Result
    ) async throws -> sending Result {
        try await self.storage.acquire()
        defer { self.storage.release() }
        return try await body()
    }

    /// Runs async code with a permit, and does not wait for it for longer than a timeout.
    ///
    /// ## Cancellation
    /// Ends the wait for the permit; the code handles cancellation itself.
    ///
    /// ## Isolation
    /// The caller's actor.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait for the permit, as in ``acquire(timeout:clock:)``. The code has all the time it
    ///     needs.
    ///   - clock: The clock that measures it.
    ///   - body: The code.
    /// - Returns: The code's result.
    /// - Throws: The code's error; `BridgeFault` with the code `timedOut`, and then the code has not begun;
    ///   `CancellationError`.
    /// - Complexity: O(log *n*) in the number of waits with a timeout.
    public nonisolated(nonsending) func withPermit<C: Clock, Result>(
        timeout: C.Duration,
        clock: C = .continuous,
        _ body: nonisolated(nonsending) () async throws -> sending Result
    ) async throws -> sending Result {
        try await self.storage.acquire(timeout: timeout, clock: clock)
        defer { self.storage.release() }
        return try await body()
    }
}
