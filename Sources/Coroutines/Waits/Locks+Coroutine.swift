// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

extension CoSemaphore {
    /// Waits, in a coroutine, for a permit.
    ///
    /// ## Cancellation
    /// Ends the wait at once.
    ///
    /// ## Isolation
    /// The coroutine continues where it was.
    ///
    /// - Throws: `CancellationError`; ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Use `try await semaphore.acquire()` in async code")
    public func awaitAcquire() throws { try self.storage.awaitAcquire() }

    /// Waits, in a coroutine, for a permit, but not for longer than a timeout.
    ///
    /// ## Cancellation
    /// Ends the wait at once. A permit that is handed over as the wait times out is either the caller's, or goes to the
    /// next waiter.
    ///
    /// ## Isolation
    /// The coroutine continues where it was.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, in the clock's own type of duration. A free permit is acquired with zero too.
    ///   - clock: The clock that measures it.
    /// - Throws: `BridgeFault` with the code `timedOut`, which says where the semaphore was made; `CancellationError`;
    ///   ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(log *n*) in the number of waits with a timeout; see ``SelectBranch/after(_:clock:then:)``.
    @available(*, noasync, message: "Use `try await semaphore.acquire(timeout:)` in async code")
    public func awaitAcquire<C: Clock>(timeout: C.Duration, clock: C = .continuous) throws {
        try self.storage.awaitAcquire(timeout: timeout, clock: clock)
    }

    /// Runs code with a permit, in a coroutine.
    ///
    /// The code may wait.
    ///
    /// ## Cancellation
    /// Ends the wait for the permit.
    ///
    /// ## Isolation
    /// The code runs in the coroutine.
    ///
    /// - Parameter body: The code.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `CancellationError`; ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Write `try await semaphore.withPermit { … }` in async code")
    public func awaitPermit<Result>(_ body: () throws -> sending Result) throws -> sending Result {
        try self.storage.awaitAcquire()
        defer { self.storage.release() }
        return try body()
    }

    /// Runs code with a permit, in a coroutine, and does not wait for the permit for longer than a timeout.
    ///
    /// The code may wait, for as long as it needs.
    ///
    /// ## Cancellation
    /// Ends the wait for the permit.
    ///
    /// ## Isolation
    /// The code runs in the coroutine.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait for the permit, as in ``awaitAcquire(timeout:clock:)``.
    ///   - clock: The clock that measures it.
    ///   - body: The code.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `BridgeFault` with the code `timedOut`, and then the closure was not called;
    ///   `CancellationError`; ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(log *n*) in the number of waits with a timeout.
    @available(*, noasync, message: "Write `try await semaphore.withPermit(timeout:) { … }` in async code")
    public func awaitPermit<C: Clock, Result>(
        timeout: C.Duration,
        clock: C = .continuous,
        _ body: () throws -> sending Result
    ) throws -> sending Result {
        try self.storage.awaitAcquire(timeout: timeout, clock: clock)
        defer { self.storage.release() }
        return try body()
    }
}

extension CoMutex {
    /// Waits, in a coroutine, for the value, and uses it.
    ///
    /// ## Cancellation
    /// Ends the wait at once.
    ///
    /// ## Isolation
    /// The body runs in the coroutine.
    ///
    /// - Parameter body: Uses the value, and may wait meanwhile.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `CancellationError`; ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(1).
    @available(*, noasync, message: "Write `try await mutex.withLock { … }` in async code")
    public func awaitLock<Result>(
        _ body: (inout sending Value) throws -> sending Result
    ) throws -> sending Result {
        try self.permit.awaitAcquire()
        defer { self.permit.release() }
        return try unsafe body(&self.value.pointee)
    }

    /// Waits, in a coroutine, for the value, but not for longer than a timeout, and uses it.
    ///
    /// ## Cancellation
    /// Ends the wait at once.
    ///
    /// ## Isolation
    /// The body runs in the coroutine.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait for the value, in the clock's own type of duration. A free mutex is locked with
    ///     zero too.
    ///   - clock: The clock that measures it.
    ///   - body: Uses the value, and may wait meanwhile, for as long as it needs.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; `BridgeFault` with the code `timedOut`, which says where the mutex was made;
    ///   `CancellationError`; ``CoroutineError/outsideCoroutine``.
    /// - Complexity: O(log *n*) in the number of waits with a timeout; see ``SelectBranch/after(_:clock:then:)``.
    @available(*, noasync, message: "Write `try await mutex.withLock(timeout:) { … }` in async code")
    public func awaitLock<C: Clock, Result>(
        timeout: C.Duration,
        clock: C = .continuous,
        _ body: (inout sending Value) throws -> sending Result
    ) throws -> sending Result {
        try self.permit.awaitAcquire(timeout: timeout, clock: clock)
        defer { self.permit.release() }
        return try unsafe body(&self.value.pointee)
    }
}

extension SemaphoreStorage {
    func awaitAcquire() throws {
        let coroutine = try RunningCoroutine.toSuspend(for: .lock, at: self.made)
        if self.tryAcquire() { return }
        coroutine.note(.lock, at: self.made)
        guard let parker = coroutine.parker else {
            return try coroutine.perform { try await self.acquire() }
        }
        var waiter = unsafe Waiter(parker, slot: nil)
        try unsafe withUnsafeMutablePointer(to: &waiter) { address in
            // Safe: it lies in this frame, which the coroutine does not leave while it waits.
            let waiter = unsafe WaiterReference(address)
            guard try self.enter(waiter) else { return }
            coroutine.park()
            try self.leave(waiter)
        }
        guard coroutine.isUnwinding else { return }
        // The caller cannot use the permit any more.
        self.release()
        throw CancellationError()
    }
    /// The same, by a selection between the permit and the time.
    func awaitAcquire<C: Clock>(timeout: C.Duration, clock: C) throws {
        let coroutine = try RunningCoroutine.toSuspend(for: .lock, at: self.made)
        if self.tryAcquire() { return }
        let branches = self.branches(timeout: timeout, clock: clock)
        var result: Void?
        if try withBranches(branches, &result, { try $0.happensNow(biased: true, $1) }) { return }
        coroutine.note(.lock, at: self.made)
        try coroutine.wait(for: branches, biased: true, as: self.name, at: self.made)
    }
}
