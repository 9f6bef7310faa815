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
}

extension SemaphoreStorage {
    func awaitAcquire() throws {
        let coroutine = try RunningCoroutine.toSuspend()
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
}
